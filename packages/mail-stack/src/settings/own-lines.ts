import type { DovecotVersion, MailStackSettings } from './mail-stack-settings.js';
import { OWN_LINE } from './text-forms.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Rendered with `dovecot.trustedNetworks`; an own line would take its place. */
const EXCEPTIONS = 'smtpd_client_event_limit_exceptions';

/**
 * What operators may set in Postfix without a loss of what the documents and tests say: rates, sizes, times, addresses
 * of their own, ciphers and logs. No template sets one of them, but for EXCEPTIONS.
 */
const POSTFIX = new Set([
  ...words(`
    smtpd_client_connection_count_limit smtpd_client_connection_rate_limit smtpd_client_message_rate_limit
    smtpd_client_recipient_rate_limit smtpd_client_new_tls_session_rate_limit smtpd_client_auth_rate_limit
    ${EXCEPTIONS} anvil_rate_time_unit default_process_limit smtpd_timeout
    maximal_queue_lifetime bounce_queue_lifetime delay_warning_time queue_run_delay minimal_backoff_time
    maximal_backoff_time in_flow_delay header_size_limit qmgr_message_active_limit qmgr_message_recipient_limit
    smtp_bind_address smtp_bind_address6 smtp_helo_name smtp_address_preference proxy_interfaces
    smtpd_tls_ciphers smtpd_tls_mandatory_ciphers smtp_tls_ciphers smtp_tls_mandatory_ciphers
    tls_high_cipherlist tls_medium_cipherlist tls_preempt_cipherlist tls_eecdh_auto_curves
    smtpd_tls_loglevel smtp_tls_loglevel debug_peer_list debug_peer_level syslog_facility`),
  // Without that of lmtp: a mailbox gets one delivery after the other.
  ...words('default smtp ses direct').map((service) => `${service}_destination_concurrency_limit`),
  ...words('default smtp ses direct lmtp').map((service) => `${service}_destination_rate_delay`),
  ...words('connect helo mail rcpt data_init data_xfer data_done quit').flatMap((step) => [
    `smtp_${step}_timeout`,
    `lmtp_${step}_timeout`,
  ]),
]);

/** What Dovecot 2.3 names otherwise than 2.4 does, of what operators may set. */
const RENAMED_IN_24: Readonly<Record<string, string>> = {
  ssl_prefer_server_ciphers: 'ssl_server_prefer_ciphers',
  ssl_dh: 'ssl_server_dh_file',
  verbose_ssl: 'log_debug',
};

/** The same for Dovecot. A template sets `mail_max_userip_connections`; the own line stands after it and holds. */
const DOVECOT = new Set([
  ...Object.entries(RENAMED_IN_24).flat(),
  ...words(`
    default_client_limit default_process_limit default_vsz_limit mail_max_userip_connections
    login_greeting login_log_format_elements mail_log_prefix log_timestamp
    auth_verbose auth_debug mail_debug
    ssl_cipher_list ssl_curve_list
    imap_idle_notify_interval imap_hibernate_timeout imap_client_workarounds imap_max_line_length
    pop3_client_workarounds pop3_no_flag_updates mailbox_idle_check_interval
    mail_fsync mmap_disable mail_nfs_storage mail_nfs_index postmaster_address`),
]);

export const SUPPORTED = { postfix: POSTFIX, dovecot: DOVECOT } as const;

type Program = keyof typeof SUPPORTED;

/** The operator's own lines of a program: their names, and of these the ones that are not on the list. */
export interface OwnLines {
  names: string[];
  unsupported: string[];
}

export function ownLinesOf(settings: Pick<MailStackSettings, Program>, program: Program): OwnLines {
  const names = settings[program].extra.map(nameOf);
  const { trustedNetworks } = settings.dovecot;
  const isRendered = (name: string): boolean => name === EXCEPTIONS && trustedNetworks.length > 0;
  return { names, unsupported: names.filter((name) => !SUPPORTED[program].has(name) || isRendered(name)) };
}

/** Returns what is wrong with the own lines: doubled names, and without `unsupported` names that the list has not. */
export function ownLineProblems(settings: Pick<MailStackSettings, Program>): string[] {
  return (['postfix', 'dovecot'] as const).flatMap((program) => {
    const { extra, unsupported } = settings[program];
    if (!Array.isArray(extra) || !extra.every((line) => OWN_LINE.pattern.test(line))) return [];
    const own = ownLinesOf(settings, program);
    const doubled = own.names.filter((name, index) => own.names.indexOf(name) !== index);
    return [
      ...doubled.map((name) => `${program}.extra sets ${name} twice`),
      ...(unsupported ? [] : own.unsupported).map(
        (name) =>
          `${program}.extra sets ${name}, which is not on the list of what may be changed; with ${program}.unsupported: true it is rendered all the same, and the doctor names it`,
      ),
    ];
  });
}

/** Returns what is wrong with Dovecot's own lines in a version: the names that only the other version has. */
export function namesOfOtherVersion(extra: readonly string[], version: DovecotVersion): string[] {
  const renamed = Object.entries(RENAMED_IN_24).map(([old, now]) => (version === '2.4' ? [old, now] : [now, old]));
  const names = new Set(extra.map(nameOf));
  return renamed
    .filter(([foreign = '']) => names.has(foreign))
    .map(
      ([foreign, own]) => `dovecot.extra sets ${foreign}, which Dovecot ${version} does not have: there it is ${own}`,
    );
}

/** Returns the own lines with which Dovecot of this version has sessions of several mailboxes in one process. */
export function linesThatShareProcesses(extra: readonly string[], version: DovecotVersion): string[] {
  // Dovecot 2.4 ends a session in such a process alone.
  return version === '2.4' ? [] : extra.filter((line) => /^imap_hibernate_timeout = (?!0)/.test(line)).map(nameOf);
}

export const SHARED_PROCESSES =
  'when the sessions of one mailbox are ended, Dovecot 2.3 ends those of others in the same process with them';

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(' '));
}
