import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DovecotVersion } from '../../settings/mail-stack-settings.js';
import { DOVECOT, describeStack } from '../../testing/describe-stack.js';
import { MailRig } from '../../testing/mail-rig.js';
import { MilterStandIn } from '../../testing/milter-stand-in.js';
import { PolicyStandIn } from '../../testing/policy-stand-in.js';
import {
  EDITS_OF_A_SECOND_READER,
  type Edit,
  type Folder,
  FURTHER_EDITS_OF_DOVECOT,
} from '../../testing/wiring-edits.js';
import { examineWiring } from './examine-wiring.js';

const UNCOUNTED = /without being counted/;
const STRANGERS = /a stranger could send/;
const OTHERS_NAME = /in the name of another/;

/** The edits that an operator, an update or an intruder makes. */
const EDITS: readonly Edit[] = [
  ['submission', 'main.cf', /^outbound_policy = .*$/m, 'outbound_policy =', UNCOUNTED],
  ['submission', 'main.cf', /^outside_policy = .*$/m, 'outside_policy =', UNCOUNTED],
  ['submission', 'main.cf', /^smtpd_data_restrictions = .*$/m, 'smtpd_data_restrictions =', OTHERS_NAME],
  [
    'submission',
    'master.cf',
    '  -o syslog_name=postfix/submission\n',
    '  -o syslog_name=postfix/submission\n  -o receive_override_options=no_milters\n',
    UNCOUNTED,
  ],
  ['submission', 'main.cf', null, 'smtpd_milter_maps = static:DISABLE\n', UNCOUNTED],
  ['submission', 'main.cf', null, 'smtpd_milters =\n', UNCOUNTED],
  ['submission', 'main.cf', 'enable_long_queue_ids = yes', 'enable_long_queue_ids = no', UNCOUNTED],
  ['submission', 'main.cf', null, 'smtpd_end_of_data_restrictions = reject\n', UNCOUNTED],
  ['submission', 'main.cf', null, 'content_filter = smtp:[127.0.0.1]:10025\n', UNCOUNTED],
  [
    'mx',
    'main.cf',
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtpd_relay_restrictions = permit',
    STRANGERS,
  ],
  [
    'mx',
    'main.cf',
    null,
    'mynetworks = 0.0.0.0/0\nsmtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination\n',
    STRANGERS,
  ],
  ['mx', 'main.cf', 'smtpd_forbid_bare_newline = normalize', 'smtpd_forbid_bare_newline = no', STRANGERS],
  ['mx', 'main.cf', /^strict_smtputf8 =.*$/m, '', STRANGERS],
  ['mx', 'main.cf', 'smtpd_etrn_restrictions = reject', 'smtpd_etrn_restrictions =', /queued mail sent again/],
  ['submission', 'main.cf', /^smtpd_discard_ehlo_keywords = .*$/m, '', /smtpd_discard_ehlo_keywords is not set/],
  ['mx', 'main.cf', /^address_verify_sender =.*$/m, '', STRANGERS],
  ['mx', 'main.cf', /^quota_policy = .*$/m, 'quota_policy =', STRANGERS],
  ['submission', 'main.cf', null, 'smtpd_sender_restrictions =\n', OTHERS_NAME],
  ['submission', 'main.cf', 'smtpd_tls_auth_only = yes', 'smtpd_tls_auth_only = no', /read on their way/],
  ['submission', 'main.cf', /^smtp_tls_security_level = .*$/m, 'smtp_tls_security_level = none', /read on their way/],
  [
    'submission',
    'sql/sender-logins.cf',
    /^query = .*$/m,
    "query = SELECT '%s'",
    /the map sender-logins has another query: SELECT '%s'.*login that may use a sender/,
  ],
  [
    'submission',
    'sql/sender-transport.cf',
    'retry:',
    'smtp:',
    /the map sender-transport has another query.*Holds queued mail/,
  ],
  [
    'submission',
    'sql/sasl-access.cf',
    'DEFER',
    'OK',
    /the map sasl-access has another query.*Logins that may not send/,
  ],
  ['mx', 'sql/recipient-access.cf', 'hosted_recipient', 'OK', /the map recipient-access has another query/],
  ['mx', 'sql/domains.cf', /^password = .*$/m, 'password = someone-elses', /the map domains has another password\./],
  ['mx', 'main.cf', '  ${sql}mailbox-self.cf,\n', '', /virtual_alias_maps is .*delivered to somebody else/],
  ['mx', 'main.cf', /^virtual_transport = .*$/m, 'virtual_transport = discard:', /virtual_transport is "discard:".*/],
  ['mx', 'master.cf', null, '127.0.0.1:1 inet n - n - - smtpd\n', /127\.0\.0\.1:1 inet is .*a further port/],
  ['mx', 'master.cf', null, 'smtp unix - - n - - smtp\n', /smtp unix is .*leave by another way/],
  [
    'mx',
    'master.cf',
    '  -o cleanup_service_name=notices\n',
    '',
    /bounce unix cleanup_service_name is not set.*a notice/,
  ],
  ['mx', 'main.cf', null, 'smtpd_authorized_xclient_hosts = 0.0.0.0/0\n', /pretend to be another host/],
  ['mx', 'main.cf', null, 'default_transport = smtp:[relay.example.net]:587\n', /default_transport is "smtp:\[relay/],
  ['mx', 'main.cf', null, 'always_bcc = spy@example.net\n', /always_bcc is .*copied to somebody/],
  ['submission', 'main.cf', /^milter_default_action = .*$/m, 'milter_default_action = accept', UNCOUNTED],
  ['submission', 'main.cf', /^smtpd_sasl_path = .*$/m, 'smtpd_sasl_path = inet:127.0.0.1:9', /smtpd_sasl_path is/],
  ['submission', 'relay-passwords', /^\[.*$/gm, '', /relay-passwords has other credentials/],
  ['dovecot', 'dovecot.conf', 'auth_cache_size = 0', 'auth_cache_size = 10M', /auth_cache_size is "10 ?M".*/],
  ['dovecot', 'dovecot.conf', 'quota_full_tempfail = yes', 'quota_full_tempfail = no', /quota_full_tempfail/],
  [
    'dovecot',
    'dovecot.conf',
    'process_limit = 8000',
    'process_limit = 100',
    /service imap \/ process_limit is "100".*mail programs could be refused/,
  ],
];

/** The same for what the versions of Dovecot name otherwise. */
const EDITS_OF_DOVECOT: Record<DovecotVersion, readonly Edit[]> = {
  '2.3': [
    [
      'dovecot',
      'dovecot.conf',
      /^ {2}quota_rule2 = .*$/m,
      '  quota_rule2 = Trash:ignore',
      /quota_rule2 is .*could not be emptied/,
    ],
    [
      'dovecot',
      'dovecot-sql.conf.ext',
      'SELECT user, password_hash AS password,',
      "SELECT user, password_hash AS password, 'y' AS nopassword,",
      /has another password_query: .*nopassword.*in the name of another/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      'disable_plaintext_auth = yes',
      'disable_plaintext_auth = no',
      /disable_plaintext_auth is "no".*read on their way/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      null,
      'passdb {\n  driver = static\n  args = nopassword=y\n}\n',
      /passdb 2 \/ driver is "static"/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      'mail_location = maildir:~/Maildir',
      'mail_location = maildir:/tmp/all',
      /mail_location is .*delivered to somebody else/,
    ],
  ],
  '2.4': [
    [
      'dovecot',
      'dovecot.conf',
      'SELECT user, password_hash AS password,',
      "SELECT user, password_hash AS password, 'y' AS nopassword,",
      /passdb sql \/ query is "SELECT user, password_hash AS password, 'y' AS nopassword.*in the name of another/,
    ],
    ['dovecot', 'dovecot.conf', 'ssl = required', 'ssl = yes', /: ssl is .*read on their way/],
    [
      'dovecot',
      'dovecot.conf',
      null,
      'passdb static {\n  password =\n  fields {\n    nopassword = y\n  }\n}\n',
      /passdb static \/ .*in the name of another/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      'mail_path = ~/Maildir',
      'mail_path = /tmp/all',
      /mail_path is .*delivered to somebody else/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      /^ {2}password = .*$/m,
      '  password = someone-elses',
      /mysql \S+ \/ password is "hidden .*another database/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      /^doveadm_api_key = .*$/m,
      'doveadm_api_key = someone-elses',
      /doveadm_api_key is "hidden /,
    ],
    [
      'dovecot',
      'dovecot.conf',
      'quota_storage_grace = 0',
      'quota_storage_grace = 10M',
      /quota_storage_grace is .*found out too late/,
    ],
    [
      'dovecot',
      'dovecot.conf',
      /quota_storage_extra = \d+B/,
      'quota_storage_extra = 0',
      /mailbox Sent \/ quota_storage_extra is .*could not be emptied/,
    ],
  ],
};

describeStack('the doctor compares the configuration with the rendered one', () => {
  let rig: MailRig;
  let policy: PolicyStandIn;
  let milter: MilterStandIn;

  beforeAll(async () => {
    policy = await PolicyStandIn.start();
    milter = await MilterStandIn.start();
    rig = await MailRig.start({ policyd: policy.address, milter: milter.address, defaultRelay: 'ses' });
  });
  afterAll(async () => {
    await rig?.stop();
    await policy?.stop();
    await milter?.stop();
  });

  const pathOf = (folder: Folder, file: string): string => {
    const { postfix, dovecot } = rig.settings;
    const folders = { mx: postfix, submission: postfix.submissionInstance, dovecot };
    return join(folders[folder].configDirectory, file);
  };
  const wrongs = async (): Promise<string[]> =>
    (await examineWiring(rig.settings)).filter(({ verdict }) => verdict === 'wrong').map(({ sentence }) => sentence);

  it('and finds nothing wrong in what was rendered', async () => {
    expect((await examineWiring(rig.settings)).map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
      ['ok', expect.stringContaining('Mail from strangers leaves by no relay')],
      ['ok', expect.stringContaining('Mail of users is counted at its end')],
      ['ok', expect.stringContaining('Dovecot checks passwords')],
    ]);
  });

  it.each([...EDITS, ...EDITS_OF_DOVECOT[DOVECOT], ...EDITS_OF_A_SECOND_READER, ...FURTHER_EDITS_OF_DOVECOT[DOVECOT]])(
    '%s %s: %s becomes %j',
    async (folder, file, from, to, says) => {
      const path = pathOf(folder, file);
      const before = await readFile(path, 'utf8');
      if (from !== null) expect(before).toMatch(from);
      await writeFile(path, from === null ? `${before}\n${to}` : before.replace(from, () => to));
      try {
        const found = await wrongs();
        expect(found).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
        expect(found.join()).not.toContain('someone-elses');
      } finally {
        await writeFile(path, before);
      }
    },
  );

  it('an own line with which Dovecot 2.3 ends sessions of others too, and not for 2.4', async () => {
    const settings = structuredClone(rig.settings);
    Object.assign(settings.dovecot, { extra: ['imap_hibernate_timeout = 30s'], unsupported: true });
    const said = (await examineWiring(settings)).map(({ sentence }) => sentence).join('\n');
    if (DOVECOT === '2.3') expect(said).toMatch(/sets imap_hibernate_timeout: .*Dovecot 2\.3 ends those of others/);
    else expect(said).not.toMatch(/ends those of others/);
  });

  it('a setting in a file that Dovecot includes', async () => {
    const path = pathOf('dovecot', 'dovecot.conf');
    const before = await readFile(path, 'utf8');
    const [included, says] =
      DOVECOT === '2.3'
        ? ['passdb {\n  driver = static\n  args = nopassword=y\n}\n', /passdb 2 \/ driver is "static"/]
        : ['passdb static {\n  fields {\n    nopassword = y\n  }\n}\n', /passdb static/];
    await writeFile(`${rig.folder}/included.conf`, included);
    await writeFile(path, `${before}\n!include_try ${rig.folder}/included.conf\n`);
    const found = await wrongs();
    await writeFile(path, before);
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });

  it.each<[Folder, string, number, RegExp]>([
    ['submission', 'relay-passwords', 0o644, /relay-passwords has the mode 0644, and must have 0600: others may read/],
    ['dovecot', 'dovecot.conf', 0o640, /has the mode 0640, and must have 0600/],
    ['mx', 'main.cf', 0o666, /main.cf has the mode 0666, and must have 0644: others may change it/],
    ['mx', 'sql/domains.cf', 0o600, /sql\/domains.cf cannot be read by those who need it/],
  ])('%s %s with the mode %i', async (folder, file, mode, says) => {
    const path = pathOf(folder, file);
    const rendered = { 'main.cf': 0o644, 'sql/domains.cf': 0o640 }[file] ?? 0o600;
    await chmod(path, mode);
    const found = await wrongs();
    await chmod(path, rendered);
    expect(found).toEqual([expect.stringMatching(says)]);
  });

  it('a parameter that stands more than once, with its lines and what follows, also where the last line is the rendered one', async () => {
    const path = pathOf('submission', 'main.cf');
    const before = await readFile(path, 'utf8');
    const lines = before.split('\n');
    const at = lines.findIndex((line) => line.startsWith('biff = '));
    const warns = 'every program of Postfix warns about it. As maillog_file is set, about ten such lines fill';
    await writeFile(path, [...lines.slice(0, at), 'biff = yes', '# A comment', ...lines.slice(at)].join('\n'));
    const overridden = await wrongs();
    await writeFile(path, [...lines.slice(0, at), lines[at], ...lines.slice(at)].join('\n'));
    const repeated = await wrongs();
    await writeFile(path, before);
    expect(overridden).toEqual([
      expect.stringContaining(
        `${path} sets biff in the lines ${at + 1} and ${at + 3}: the last one holds, and ${warns}`,
      ),
    ]);
    expect(repeated).toEqual([
      expect.stringMatching(`${path} sets biff in the lines ${at + 1} and ${at + 2}: the last one holds\\.$`),
    ]);
  });

  it('a missing file, and a folder that others may write, beside other differences', async () => {
    const [map, main] = [pathOf('mx', 'sql/domains.cf'), pathOf('mx', 'main.cf')];
    const before = await readFile(main, 'utf8');
    await rename(map, `${map}.away`);
    await chmod(dirname(map), 0o777);
    await writeFile(main, `${before}\nalways_bcc = spy@example.net\n`);
    const found = await wrongs();
    await writeFile(main, before);
    await chmod(dirname(map), 0o755);
    await rename(`${map}.away`, map);
    expect(found).toEqual([
      expect.stringContaining('always_bcc is'),
      expect.stringMatching(/sql has the owner 0 and the mode 0777: others may replace its files/),
      expect.stringMatching(/sql\/domains\.cf cannot be read: ENOENT/),
    ]);
  });

  it('and shows a bounded number of lines of a file of another kind, and says when it cannot read one', async () => {
    const path = pathOf('mx', 'main.cf');
    const before = await readFile(path, 'utf8');
    await writeFile(path, 'compatibility_level = 3.6\n');
    const found = await wrongs();
    await writeFile(path, 'compatibility_level\n');
    const unreadable = await wrongs();
    await writeFile(path, before);
    expect(found).toHaveLength(41);
    expect(found.at(-1)).toMatch(/^\d+ more lines in \S+ are not as rendered/);
    expect(unreadable).toEqual([expect.stringMatching(/cannot be compared with the rendered one: .*main\.cf/)]);
  });
});
