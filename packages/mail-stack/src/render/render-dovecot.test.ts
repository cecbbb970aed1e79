import {
  type DovecotVersion,
  type MailStackSettings,
  parseMailStackSettings,
  SettingsError,
} from '../settings/mail-stack-settings.js';
import { dovecotVersionOf } from './dovecot-version.js';
import { renderMailStack } from './render-mail-stack.js';

const SECRET = 'a-secret-of-sixteen-or-more';
const DATABASE_SECRET = 'the-password-of-dovecot';

function settingsOf(dovecot: Record<string, unknown>, database: Record<string, unknown> = {}): MailStackSettings {
  return parseMailStackSettings(sourceOf(dovecot, database));
}

function sourceOf(dovecot: Record<string, unknown>, database: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    hostname: 'mx1.example.net',
    postmaster: 'postmaster@example.net',
    tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
    dovecot: { doveadm: { apiKey: SECRET }, ...dovecot },
    database: { postfix: { password: SECRET }, dovecot: { password: DATABASE_SECRET }, ...database },
    relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
  };
}

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

const textsOf = (version: DovecotVersion, dovecot: Record<string, unknown> = {}): Map<string, string> =>
  new Map(
    renderMailStack(settingsOf({ ...dovecot, version }))
      .filter(({ path }) => path.startsWith('dovecot/'))
      .map(({ path, content }) => [path.slice('dovecot/'.length), content]),
  );

describe('the version of Dovecot', () => {
  it.each([
    ['2.3.19.1 (9b53102964)', '2.3'],
    ['2.4.1-4 (7d8c0e5759)', '2.4'],
  ])('is by default the one of the host, %s', (installed, version) => {
    expect(dovecotVersionOf(settingsOf({}), () => installed)).toBe(version);
  });

  it('can be set where another Dovecot or none is installed', () => {
    expect(dovecotVersionOf(settingsOf({ version: '2.4' }), () => null)).toBe('2.4');
    expect(dovecotVersionOf(settingsOf({ version: '2.3' }), () => '2.4.1')).toBe('2.3');
    expect(problemsOf(() => settingsOf({ version: '2.2' }))).toEqual(['dovecot.version must be one of auto, 2.3, 2.4']);
  });

  it('must be set where none or one without templates is installed', () => {
    const problems = (installed: string | null) => problemsOf(() => dovecotVersionOf(settingsOf({}), () => installed));
    expect(problems(null)).toEqual([
      'dovecot.version is "auto", and no Dovecot is installed on this host. Set it to "2.3" (Debian 12) or "2.4" (Debian 13)',
    ]);
    for (const installed of ['2.2.36 (1f10bfa63)', '2.40.1', '3.0.0']) {
      expect(problems(installed)).toEqual([
        expect.stringContaining(`and the Dovecot of this host is ${installed}. Set it`),
      ]);
    }
  });

  it('refuses an own line that only the other version has, and names the line of this one', () => {
    const problems = (version: DovecotVersion, line: string) => problemsOf(() => textsOf(version, { extra: [line] }));
    expect(problems('2.4', 'ssl_dh = </etc/dh.pem')).toEqual([
      'dovecot.extra sets ssl_dh, which Dovecot 2.4 does not have: there it is ssl_server_dh_file',
    ]);
    expect(problems('2.3', 'ssl_server_dh_file = /etc/dh.pem')).toEqual([
      'dovecot.extra sets ssl_server_dh_file, which Dovecot 2.3 does not have: there it is ssl_dh',
    ]);
    expect(problems('2.3', 'ssl_dh = </etc/dh.pem')).toEqual([]);
    expect(problems('2.4', 'ssl_server_dh_file = /etc/dh.pem')).toEqual([]);
  });
});

describe('an own line with which several mailboxes have one process', () => {
  const problems = (version: DovecotVersion, extra: string[], unsupported = false) =>
    problemsOf(() => textsOf(version, { extra, unsupported }));

  it('is refused for Dovecot 2.3, which would end all their sessions with those of one', () => {
    expect(problems('2.3', ['imap_hibernate_timeout = 30s'])).toEqual([
      expect.stringMatching(
        /^dovecot\.extra sets imap_hibernate_timeout: .*those of others.*dovecot\.unsupported: true/,
      ),
    ]);
    expect(problems('2.3', ['imap_hibernate_timeout = 0'])).toEqual([]);
  });

  it('is rendered for Dovecot 2.4, and for 2.3 as unsupported', () => {
    expect(problems('2.4', ['imap_hibernate_timeout = 30s'])).toEqual([]);
    expect(problems('2.3', ['imap_hibernate_timeout = 30s'], true)).toEqual([]);
  });
});

describe('the files of Dovecot', () => {
  it('of 2.4 have one configuration, which begins with its version and has the queries; 2.3 has them in a second file', () => {
    expect([...textsOf('2.4').keys()]).toEqual(['dovecot.conf', 'mailstead.sieve']);
    expect([...textsOf('2.3').keys()]).toEqual(['dovecot.conf', 'dovecot-sql.conf.ext', 'mailstead.sieve']);
    const [first] = (textsOf('2.4').get('dovecot.conf') ?? '').split('\n').filter((line) => !line.startsWith('#'));
    expect(first).toBe('dovecot_config_version = 2.4.0');
    expect(textsOf('2.3').get('dovecot.conf')).not.toContain('dovecot_config_version');
  });

  it.each<DovecotVersion>(['2.3', '2.4'])(
    'of %s have the password of the database in one file for root only',
    (version) => {
      const files = renderMailStack(settingsOf({ version }));
      const holders = files.filter(({ content }) => content.includes(DATABASE_SECRET));
      expect(holders.map(({ path, readers }) => [path, readers])).toEqual([
        [version === '2.3' ? 'dovecot/dovecot-sql.conf.ext' : 'dovecot/dovecot.conf', 'root'],
        ['grants.sql', 'root'],
      ]);
    },
  );

  it('ask the same questions in both versions, but for the names of the quota and of the variables', () => {
    const questions = (version: DovecotVersion): string[] =>
      [...textsOf(version).values()]
        .join('\n')
        .replaceAll('\\\n', '')
        .split('\n')
        .filter((line) => /SELECT .* FROM mda_users/.test(line))
        .map((line) =>
          line
            .replace(/^.*?= *SELECT/, 'SELECT')
            .replaceAll(/\s+/g, ' ')
            .replaceAll('%{user}', '%u')
            .replaceAll('%{user|domain}', '%d')
            .replaceAll('%{protocol}', '%s')
            .replaceAll(
              /(CONCAT\('\*:bytes=', .*? \* 1048576\)|IF\(quota_mb = 0, .*?, 'B'\)\)) AS (userdb_)?quota_\w+/g,
              'quota',
            ),
        );
    expect(questions('2.4')).toHaveLength(3);
    expect(questions('2.4')).toEqual(questions('2.3'));
  });

  it.each<DovecotVersion>(['2.3', '2.4'])(
    'of %s let Trash and Sent go beyond the quota by the largest message that Postfix takes, and a megabyte',
    (version) => {
      const files = renderMailStack(
        parseMailStackSettings({ ...sourceOf({ version }), postfix: { messageSizeMb: 25 } }),
      );
      const text = files.map(({ content }) => content).join('\n');
      expect(text).toMatch(/^message_size_limit = 26214400$/m);
      const beyond = 27_262_976;
      expect(text.match(/GREATEST\(.*\) AS (userdb_)?trash_slack/g)).toEqual([
        `GREATEST(CAST(quota_mb AS UNSIGNED) * 1048576 DIV 10, ${beyond}) AS userdb_trash_slack`,
        `GREATEST(CAST(quota_mb AS UNSIGNED) * 1048576 DIV 10, ${beyond}) AS trash_slack`,
      ]);
      expect(text.match(/(quota_rule\d+|quota_storage_extra) = .*/g)?.map((line) => line.match(/\d{5,}/)?.[0])).toEqual(
        Array(9).fill(String(beyond)),
      );
    },
  );

  it.each<DovecotVersion>(['2.3', '2.4'])(
    'of %s contain no placeholder, and listeners only where asked for',
    (version) => {
      const text = textsOf(version, { pop3s: '127.0.0.1:995', lmtp: '127.0.0.1:24', extra: ['auth_verbose = yes'] });
      for (const content of text.values()) expect(content).not.toMatch(/\{\{|undefined|= null/);
      const main = text.get('dovecot.conf') ?? '';
      expect(main).toMatch(/\nauth_verbose = yes\n$/);
      const host = version === '2.3' ? 'address' : 'listen';
      expect(main).toContain(`  inet_listener lmtp {\n    ${host} = 127.0.0.1\n    port = 24\n  }`);
      expect(main).toContain(`  inet_listener pop3s {\n    ${host} = 127.0.0.1\n    port = 995\n    ssl = yes\n  }`);
      expect(main).toMatch(/^protocols = imap pop3 lmtp$/m);
      expect(textsOf(version).get('dovecot.conf')).toMatch(/^protocols = imap lmtp$/m);
    },
  );

  it.each<DovecotVersion>(['2.3', '2.4'])(
    'of %s trust the hosts of the settings and nobody else; Postfix and the policy daemon get the same hosts',
    (version) => {
      const linesOf = (dovecot: Record<string, unknown>, pattern: RegExp) =>
        renderMailStack(settingsOf({ ...dovecot, version })).flatMap(({ path, content }) =>
          [...content.matchAll(pattern)].map(([line]) => `${path}: ${line}`),
        );
      const lines = /^.*(login_trusted_networks|smtpd_client_event_limit_exceptions|LOGINS_TRUSTED).*$/gm;
      expect(linesOf({ trustedNetworks: ['192.0.2.7', '2001:db8::7'] }, lines)).toEqual([
        'postfix-submission/main.cf: smtpd_client_event_limit_exceptions = 192.0.2.7 [2001:db8::7]',
        'dovecot/dovecot.conf: login_trusted_networks = 192.0.2.7 2001:db8::7',
        'policyd.env: LOGINS_TRUSTED=192.0.2.7,2001:db8::7',
      ]);
      expect(linesOf({}, lines)).toEqual([]);
      // By it the policy daemon knows a trusted host that names the address of its user.
      expect(linesOf({}, /peer ?= ?%\{real_\w+\}/g)).toEqual([
        `dovecot/dovecot.conf: ${version === '2.3' ? 'peer=%{real_rip}' : 'peer = %{real_remote_ip}'}`,
      ]);
    },
  );

  it.each<DovecotVersion>(['2.3', '2.4'])(
    'of %s have a file by which each connection verifies the certificate of the database, only with database.tls',
    (version) => {
      const database = { host: 'db.example.net', socket: null, tls: { caFile: '/etc/ca.pem' } };
      const named = (part: Record<string, unknown>) =>
        new Map(renderMailStack(settingsOf({ version }, part)).map(({ path, content }) => [path, content]));
      const main = version === '2.3' ? 'dovecot/dovecot-sql.conf.ext' : 'dovecot/dovecot.conf';
      expect(named(database).get('dovecot/dovecot-database-tls.conf.ext')).toMatch(
        /^\[client\]\nssl-ca = \/etc\/ca\.pem\nssl-verify-server-cert = 1$/m,
      );
      expect(named(database).get(main)).toMatch(/option_file ?= ?\/etc\/dovecot\/dovecot-database-tls\.conf\.ext$/m);
      expect(named({}).has('dovecot/dovecot-database-tls.conf.ext')).toBe(false);
      expect(named({}).get(main)).not.toContain('option_file');
    },
  );
});
