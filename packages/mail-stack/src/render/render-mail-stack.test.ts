import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMailStackSettings, SettingsError } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';
import { SQL_MAPS } from './sql-maps.js';
import { writeRendered } from './write-rendered.js';

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
  it('fit when the secrets of the example are filled in, and only then', async () => {
    expect(problemsOf(await example())).toEqual([]);
    const untouched: unknown = JSON.parse(
      await readFile(new URL('../../settings.example.json', import.meta.url), 'utf8'),
    );
    expect(problemsOf(untouched)).toHaveLength(5);
  });

  it('list every problem at once, each with its setting', async () => {
    const source = {
      ...(await example()),
      hostname: 'MX',
      relays: [{ host: 'a b', port: '587' }],
      postfix: { mxx: '25' },
      database: 7,
    };
    expect(problemsOf(source)).toEqual([
      'relays[0].host must be a host name or an IP address',
      'relays[0].port must be a whole number from 1 to 65535',
      "relays[0].username must be printable ASCII without blanks and colons, and not the example's",
      "relays[0].password must be printable ASCII without blanks, and not the example's",
      'hostname must be a host name of at least two labels, in lower case',
      'database must be an object',
      "database.postfix.password must be 16 to 128 letters, digits and ._~+/=-, and not the example's",
      "database.dovecot.password must be 16 to 128 letters, digits and ._~+/=-, and not the example's",
      'postfix.mxx is not a setting',
    ]);
  });

  it('refuse what would break out of its place in a file', async () => {
    const hostile = { ...(await example()), hostname: 'mx.test\nrelayhost = evil', mail: { root: "/x' OR '1" } };
    expect(problemsOf(hostile)).toHaveLength(2);
  });
});

describe('the rendered files', () => {
  it('leave no place-holder and no unset value', async () => {
    for (const content of (await rendered()).values()) {
      expect(content).not.toMatch(/\{\{|undefined|= null/);
    }
  });

  it('keep each secret in the files of its readers', async () => {
    const files = await rendered();
    const holders = (secret: string): string[] =>
      [...files].filter(([, content]) => content.includes(secret)).map(([path]) => path);
    expect(holders(SECRETS.relay)).toEqual(['postfix/relay-passwords']);
    expect(holders(SECRETS.postfix)).toEqual([...SQL_MAPS.map((map) => `postfix/sql/${map.name}.cf`), 'grants.sql']);
    expect(holders(SECRETS.dovecot)).toEqual(['dovecot/dovecot-sql.conf.ext', 'grants.sql']);
    expect(holders(SECRETS.apiKey)).toEqual(['dovecot/dovecot.conf', 'mailstead.env']);
  });

  it.each(['022', '077'])('are readable by their readers, and by nobody else, under the umask %s', async (umask) => {
    const folder = await mkdtemp(join(tmpdir(), 'mail-stack-'));
    const before = process.umask(Number.parseInt(umask, 8));
    try {
      await writeRendered(renderMailStack(parseMailStackSettings(await example())), folder);
      const mode = async (path: string): Promise<number> => (await stat(join(folder, path))).mode & 0o777;
      expect(await mode('postfix/relay-passwords')).toBe(0o600);
      expect(await mode('dovecot/dovecot-sql.conf.ext')).toBe(0o600);
      expect(await mode('postfix/sql/domains.cf')).toBe(0o640);
      expect(await mode('postfix/main.cf')).toBe(0o644);
      // `cp -a` gives the folders of /etc the modes of these.
      expect(await mode('postfix')).toBe(0o755);
      expect(await mode('postfix/sql')).toBe(0o755);
      expect(await mode('.')).toBe(0o700);
    } finally {
      process.umask(before);
      await rm(folder, { recursive: true });
    }
  });

  it('grant the mail servers nothing but their views', async () => {
    const grants = (await rendered()).get('grants.sql') ?? '';
    const granted = [...grants.matchAll(/GRANT (\S+) ON `mailstead`\.`(\w+)` TO '(\w+)'@'localhost'/g)].map(
      ([, right, view, user]) => `${user} ${right} ${view}`,
    );
    expect(granted).toEqual([
      'mailstead_postfix SELECT mta_domains',
      'mailstead_postfix SELECT mta_mailboxes',
      'mailstead_postfix SELECT mta_aliases',
      'mailstead_postfix SELECT mta_sender_logins',
      'mailstead_postfix SELECT mta_relay',
      'mailstead_dovecot SELECT mda_users',
    ]);
  });

  it('match holds and suspensions on the domain of an address, never on parent domains', () => {
    for (const map of SQL_MAPS.filter(
      ({ query }) => /suspended|held|capped/.test(query) && query.includes('FROM mta_domains'),
    )) {
      expect(map.query).toContain("'%d'");
      expect(map.query).not.toContain("'%s'");
    }
  });

  it('forward to the outside only when told to, and then past the relay', async () => {
    expect((await rendered()).get('postfix/main.cf')).not.toContain('canonical');
    const main = (await rendered({ forwarding: { srsDomain: 'srs.example.net' } })).get('postfix/main.cf') ?? '';
    expect(main).toContain('sender_canonical_maps = tcp:127.0.0.1:10001');
    expect(main).toContain('{ @srs.example.net = direct: }');
    expect(main).toContain('virtual_alias_domains = $myhostname srs.example.net');
  });

  it('ask the milter on submission unless there is none', async () => {
    expect((await rendered()).get('postfix/main.cf')).toContain('submission_milters = inet:127.0.0.1:10041');
    expect((await rendered({ milter: null })).get('postfix/main.cf')).toMatch(/^submission_milters =$/m);
  });
});
