import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMailStackSettings, SettingsError } from '../settings/mail-stack-settings.js';
import { SUPPORTED } from '../settings/own-lines.js';
import { renderMailStack } from './render-mail-stack.js';
import { sqlMaps } from './sql-maps.js';
import { writeRendered } from './write-rendered.js';

const MAP_SETTINGS = {
  postmaster: 'postmaster@example.net',
  relays: [{ nextHop: '[smtp.example.net]:587', service: 'smtp' as const }],
};
const MX_MAPS = sqlMaps('mx', MAP_SETTINGS);
const SUBMISSION_MAPS = sqlMaps('submission', MAP_SETTINGS);

const SECRETS = {
  apiKey: 'doveadm-key-0123456789',
  postfix: 'postfix-password-0123',
  dovecot: 'dovecot-password-0123',
  relay: 'relay+password/0123=',
};

async function example(): Promise<Record<string, unknown>> {
  const text = await readFile(new URL('../../settings.example.json', import.meta.url), 'utf8');
  return JSON.parse(
    text
      .replace('"imap": "143"', '"version": "2.3", "imap": "143"')
      .replace('change-me-doveadm-key', SECRETS.apiKey)
      .replace('change-me-postfix-password', SECRETS.postfix)
      .replace('change-me-dovecot-password', SECRETS.dovecot)
      .replace('"password": "change-me"', `"password": "${SECRETS.relay}"`)
      .replace('"username": "change-me"', '"username": "AKIAEXAMPLE"'),
  ) as Record<string, unknown>;
}

function problemsOf(source: unknown): readonly string[] {
  try {
    parseMailStackSettings(source);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

async function rendered(changes: Record<string, unknown> = {}): Promise<Map<string, string>> {
  const files = renderMailStack(parseMailStackSettings({ ...(await example()), ...changes }));
  return new Map(files.map((file) => [file.path, file.content]));
}

describe('the settings', () => {
  it('are valid only when the secrets of the example are replaced', async () => {
    expect(problemsOf(await example())).toEqual([]);
    const untouched: unknown = JSON.parse(
      await readFile(new URL('../../settings.example.json', import.meta.url), 'utf8'),
    );
    expect(problemsOf(untouched)).toHaveLength(5);
  });

  it('list every problem, each with its setting', async () => {
    const source = {
      ...(await example()),
      hostname: 'MX',
      relays: [{ host: 'a b', port: '587' }],
      postfix: { mxx: '25' },
      database: 7,
    };
    expect([...problemsOf(source)].sort()).toEqual([
      'database must be an object',
      'hostname must be a host name of at least two labels, in lower case',
      'postfix.mxx is not a setting',
      'relays[0].host must be a host name or an IP address',
      "relays[0].password must be printable ASCII without blanks, and not the example's",
      'relays[0].port must be a whole number from 1 to 65535',
      "relays[0].username must be printable ASCII without blanks and colons, and not the example's",
    ]);
  });

  it('require a relay when users submit, and the milter when mail may leave', async () => {
    const base = await example();
    expect(problemsOf({ ...base, relays: [] })).toEqual([expect.stringMatching(/^relays must be a list with/)]);
    expect(problemsOf({ ...base, milter: null })).toEqual([expect.stringMatching(/^milter must not be null/)]);
    const receiving = { ...base, relays: [], milter: null, postfix: { submission: null, submissions: null } };
    expect(problemsOf(receiving)).toEqual([]);
    const forwarding = { srsDomain: 'srs.example.net' };
    expect(problemsOf({ ...receiving, forwarding })).toEqual([expect.stringMatching(/^milter must not be null/)]);
  });

  it('refuse a value that would break the syntax of a file', async () => {
    const hostile = { ...(await example()), hostname: 'mx.test\nrelayhost = evil', mail: { root: "/x' OR '1" } };
    expect(problemsOf(hostile)).toHaveLength(2);
  });
});

describe('the rendered files', () => {
  it('contain no placeholder and no unset value', async () => {
    for (const content of (await rendered()).values()) expect(content).not.toMatch(/\{\{|undefined|= null/);
  });

  it('contain the operator’s own lines at their end, of which no template sets a supported one', async () => {
    const base = await example();
    const files = await rendered({
      postfix: { extra: ['smtpd_timeout = 60s', 'header_size_limit = 50000'] },
      dovecot: { ...(base.dovecot as object), extra: ['login_greeting = Hello'] },
    });
    for (const folder of ['postfix', 'postfix-submission'])
      expect(files.get(`${folder}/main.cf`)).toMatch(/\nsmtpd_timeout = 60s\nheader_size_limit = 50000\n$/);
    expect(files.get('dovecot/dovecot.conf')).toMatch(/\nlogin_greeting = Hello\n$/);
    const plain = await rendered();
    for (const [path, content] of plain) {
      const own = [...SUPPORTED.postfix, ...SUPPORTED.dovecot].filter((name) =>
        new RegExp(`^ *(-o )?${name} ?=`, 'm').test(content),
      );
      // The one of Dovecot holds until an own line after it.
      expect([path, own]).toEqual([path, path === 'dovecot/dovecot.conf' ? ['mail_max_userip_connections'] : []]);
    }
  });

  it('contain each secret only in the files of its readers', async () => {
    const files = await rendered();
    const holders = (secret: string): string[] =>
      [...files].filter(([, content]) => content.includes(secret)).map(([path]) => path);
    expect(holders(SECRETS.relay)).toEqual(['postfix-submission/relay-passwords']);
    expect(holders(SECRETS.postfix)).toEqual([
      ...MX_MAPS.map((map) => `postfix/sql/${map.name}.cf`),
      ...SUBMISSION_MAPS.map((map) => `postfix-submission/sql/${map.name}.cf`),
      'grants.sql',
    ]);
    expect(holders(SECRETS.dovecot)).toEqual(['dovecot/dovecot-sql.conf.ext', 'grants.sql']);
    expect(holders(SECRETS.apiKey)).toEqual(['dovecot/dovecot.conf', 'mailstead.env']);
  });

  it.each(['022', '077'])('are readable only by their readers, with the umask %s', async (umask) => {
    const folder = await mkdtemp(join(tmpdir(), 'mail-stack-'));
    const before = process.umask(Number.parseInt(umask, 8));
    try {
      await writeRendered(renderMailStack(parseMailStackSettings(await example())), folder);
      const mode = async (path: string): Promise<number> => (await stat(join(folder, path))).mode & 0o777;
      expect(await mode('postfix-submission/relay-passwords')).toBe(0o600);
      expect(await mode('dovecot/dovecot-sql.conf.ext')).toBe(0o600);
      expect(await mode('postfix/sql/domains.cf')).toBe(0o640);
      expect(await mode('postfix/main.cf')).toBe(0o644);
      // `cp -a` copies the modes of these folders to /etc.
      expect(await mode('postfix')).toBe(0o755);
      expect(await mode('postfix/sql')).toBe(0o755);
      expect(await mode('.')).toBe(0o700);
    } finally {
      process.umask(before);
      await rm(folder, { recursive: true });
    }
  });

  it('grant the mail servers only their views, and Postfix what its questions about each message read', async () => {
    const grants = (await rendered()).get('grants.sql') ?? '';
    const granted = [...grants.matchAll(/GRANT (.+) ON `mailstead`\.`(\w+)` TO '(\w+)'@'localhost'/g)].map(
      ([, right, view, user]) => `${user} ${right} ${view}`,
    );
    expect(granted).toEqual([
      'mailstead_postfix SELECT mta_domains',
      'mailstead_postfix SELECT mta_domain_state',
      'mailstead_postfix SELECT mta_mailboxes',
      'mailstead_postfix SELECT mta_aliases',
      'mailstead_postfix SELECT mta_alias_names',
      'mailstead_postfix SELECT mta_sender_logins',
      'mailstead_postfix SELECT mta_relay',
      'mailstead_postfix SELECT mta_refused_senders',
      'mailstead_postfix SELECT mta_forwarding',
      'mailstead_postfix SELECT mta_domain',
      'mailstead_postfix SELECT mta_relay_host',
      'mailstead_postfix SELECT (email, domain_id, active) mailbox',
      'mailstead_postfix SELECT (address) alias',
      'mailstead_dovecot SELECT mda_users',
    ]);
    expect(grants.match(/^GRANT .*'localhost';/gm)).toHaveLength(granted.length);
  });

  it('match holds and suspensions on the domain of an address, never on parent domains', () => {
    for (const map of [...MX_MAPS, ...SUBMISSION_MAPS].filter(
      ({ query }) => /suspended|held|capped/.test(query) && /FROM mta_domain(s|_state)? /.test(query),
    )) {
      expect(map.query).toContain("'%d'");
      expect(map.query).not.toContain("'%s'");
    }
  });

  it('convert the key of every question to ASCII, because MariaDB answers other bytes with an error', async () => {
    const files = [...(await rendered())].filter(([path]) => /sql\/|dovecot-sql/.test(path));
    expect(files).toHaveLength(MX_MAPS.length + SUBMISSION_MAPS.length + 1);
    for (const [path, content] of files) {
      // Dovecot's %s is the name of a service.
      const keys = [...content.matchAll(/(.{0,8})'%[^']*'(?! = 'lmtp')(.{0,12})/g)].map(([, before, after]) => [
        before,
        after,
      ]);
      expect([path, keys.length]).toEqual([
        path,
        keys.filter(([before, after]) => before === 'CONVERT(' && after === ' USING ascii').length,
      ]);
      expect(keys).not.toEqual([]);
    }
  });

  it('ask the database about every recipient in a domain of the platform, and about no other', async () => {
    for (const instance of ['postfix', 'postfix-submission']) {
      const main = (await rendered()).get(`${instance}/main.cf`) ?? '';
      // On port 25 Postfix does not ask again about those that `hosted_recipients` asked about.
      const others = instance === 'postfix' ? 'yes' : 'no';
      expect(main).toContain(`smtpd_reject_unlisted_recipient = ${others}\n`);
      expect(main).toContain('  reject_non_fqdn_recipient,\n');
      expect(main).toMatch(/^ {2}\$hosted_recipients,?$/m);
      for (const name of ['hosted', 'suspended', 'capped']) {
        const [checks = ''] = new RegExp(`^${name}_recipient =.*(?:\\n[ \\t].*)*`, 'm').exec(main) ?? [];
        expect(checks).toContain('reject_unlisted_recipient');
      }
    }
    const access = MX_MAPS.find(({ name }) => name === 'recipient-access')?.query ?? '';
    expect([...access.matchAll(/'(\w+_recipient)'/g)].map(([, name]) => name)).toEqual([
      'suspended_recipient',
      'capped_recipient',
      'hosted_recipient',
    ]);
  });

  it('with submission, ask the policy daemon about each recipient once, and say which ones are outside the platform', async () => {
    const files = await rendered();
    const submission = files.get('postfix-submission/main.cf') ?? '';
    expect(submission).toMatch(/^hosted_first = \$outbound_policy\nhosted_last = permit$/m);
    expect(submission).toMatch(/^outside_policy = .* policy_context=outside, /m);
    expect(submission).toMatch(/^ {2}\$hosted_recipients,\n {2}\$outside_policy$/m);
    for (const name of ['hosted', 'capped'])
      expect(submission).toMatch(new RegExp(`^${name}_recipient =(.|\\n ).*\\$hosted_last$`, 'ms'));
    expect(files.get('postfix/main.cf')).toMatch(/^hosted_first =\nhosted_last =$/m);
  });

  it('list every map of a restriction and of smtpd in proxy_read_maps; otherwise proxymap refuses it', async () => {
    const files = await rendered();
    for (const instance of ['postfix', 'postfix-submission']) {
      const main = files.get(`${instance}/main.cf`) ?? '';
      const [listed = ''] = /^proxy_read_maps =.*(?:\n[ \t].*)*/m.exec(main) ?? [];
      const used = new Set([...main.matchAll(/\$\{sql\}([a-z-]+)\.cf/g)].map(([, name]) => name ?? ''));
      const parameters = {
        mailboxes: '$virtual_mailbox_maps',
        'mailbox-self': '$virtual_alias_maps',
        'sender-logins': '$smtpd_sender_login_maps',
      };
      for (const name of used) {
        expect(
          [`\${sql}${name}.cf`, Reflect.get(parameters, name)].some((entry) => listed.includes(String(entry))),
        ).toBe(true);
      }
    }
  });

  it('forward to outside addresses only when switched on, from the instance without a relay, through the policy daemon and the milter', async () => {
    const plain = (await rendered()).get('postfix/main.cf') ?? '';
    expect(plain).not.toMatch(/canonical|outbound_policy|smtpd_milters/);
    expect(plain).toMatch(/^default_transport = error:5\.1\.2 /m);
    const files = await rendered({ forwarding: { srsDomain: 'srs.example.net' } });
    const main = files.get('postfix/main.cf') ?? '';
    expect(main).toContain('default_transport = direct:\n');
    expect(main).toContain('sender_canonical_maps = tcp:127.0.0.1:10001');
    expect(main).toContain('virtual_alias_domains = $myhostname srs.example.net');
    expect(main).toMatch(/\$hosted_recipients\n {2}\$outbound_policy\n/);
    expect(main).toContain('smtpd_milters = inet:127.0.0.1:10041');
    expect(files.get('postfix-submission/main.cf')).not.toContain('canonical');
  });

  it.each([null, { srsDomain: 'srs.example.net' }])(
    'contain no relay in the instance of port 25, with forwarding %j',
    async (forwarding) => {
      const files = await rendered({ forwarding });
      const mx = [...files].filter(([path]) => path.startsWith('postfix/'));
      for (const [, content] of mx) {
        expect(content).not.toMatch(/amazonaws|relay-passwords|sasl_password|^(smtp|relay) .*smtp$/m);
      }
      expect(mx.map(([path]) => path)).not.toContain('postfix/sql/sender-transport.cf');
    },
  );

  it('send by a service of its own to the relays of kind ses, the only one whose copies keep their X-SES fields', async () => {
    const one = { username: 'user', password: 'password' };
    const files = async (...relays: object[]) =>
      await rendered({ relays: relays.map((relay) => ({ ...one, ...relay })) });
    const ses = { kind: 'ses', host: 'email-smtp.example' };
    const mixed = await files({ host: 'relay.example' }, ses, { ...ses, port: 465 });
    const master = mixed.get('postfix-submission/master.cf') ?? '';
    expect(master).toMatch(/^ses +unix .* smtp\n {2}-o smtp_header_checks=\n/m);
    expect(master.match(/smtp_header_checks|lmtp_header_checks/g)).toHaveLength(1);
    expect(mixed.get('postfix-submission/main.cf')).toContain('\ndefault_transport = smtp:[relay.example]:587\n');
    expect(mixed.get('postfix-submission/sql/sender-transport.cf')).toContain(
      "CONCAT(IF(COALESCE(r.relayhost, '[relay.example]:587') IN ('[email-smtp.example]:587', '[email-smtp.example]:465'), 'ses:', 'smtp:'), ",
    );
    expect((await files(ses)).get('postfix-submission/main.cf')).toContain(
      '\ndefault_transport = ses:[email-smtp.example]:587\n',
    );
    for (const [path, content] of [...mixed].filter(([path]) => path.endsWith('main.cf'))) {
      expect([path, content]).toEqual([
        path,
        expect.stringContaining('\nwithout_ses_fields = regexp:{ {/^X-SES-/ IGNORE} }\n'),
      ]);
      for (const protocol of ['lmtp', 'smtp']) {
        expect(content).toContain(`\n${protocol}_header_checks = $without_ses_fields\n`);
      }
    }
  });

  it('tell the policy daemon of a relay of kind ses, and have no service for one without it', async () => {
    expect((await rendered()).get('policyd.env')).toMatch(/^POLICY_RELAY=ses$/m);
    const files = await rendered({ relays: [{ host: 'relay.example', username: 'user', password: 'password' }] });
    expect(files.get('policyd.env')).not.toContain('POLICY_RELAY');
    expect(files.get('postfix-submission/master.cf')).not.toMatch(/^ses /m);
    expect(files.get('postfix-submission/sql/sender-transport.cf')).toContain("CONCAT('smtp:', COALESCE(r.relayhost");
    expect((await rendered()).get('postfix/master.cf')).not.toMatch(/^ses /m);
    expect(problemsOf({ ...(await example()), relays: [{ kind: 'SES' }] })).toContain(
      'relays[0].kind must be one of ses, other',
    );
  });

  it('use the milters on submission in order, Mailstead’s milter last, and no check at the end of the data', async () => {
    const main = async (changes: Record<string, unknown> = {}): Promise<string> =>
      (await rendered(changes)).get('postfix-submission/main.cf') ?? '';
    expect(await main()).toMatch(/^smtpd_milters = inet:127\.0\.0\.1:10041$/m);
    expect(await main({ otherMilters: ['127.0.0.1:11332', '/run/clamav.sock'] })).toMatch(
      /^smtpd_milters = inet:127\.0\.0\.1:11332, unix:\/run\/clamav\.sock, inet:127\.0\.0\.1:10041$/m,
    );
    expect(await main()).not.toMatch(/^smtpd_end_of_data_restrictions/m);
  });

  it('have one instance without submission, which needs no relays and no milter', async () => {
    const postfix = { submission: null, submissions: null };
    const files = await rendered({ postfix, relays: [], milter: null });
    expect([...files.keys()].filter((path) => path.startsWith('postfix-submission/'))).toEqual([]);
    expect(files.get('postfix/main.cf')).not.toContain('multi_instance');
  });

  it('store in the database whether mail is forwarded', async () => {
    const switched = async (changes: Record<string, unknown>): Promise<string> =>
      (await rendered(changes)).get('grants.sql') ?? '';
    expect(await switched({})).toContain("VALUES ('forwarding', 'off')");
    expect(await switched({ forwarding: { srsDomain: 'srs.example.net' } })).toContain("VALUES ('forwarding', 'on')");
  });
});
