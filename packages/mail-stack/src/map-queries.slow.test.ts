import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';
import { configDirectoryOf, postfixInstances, sqlMapSettings } from './render/render-postfix.js';
import { sqlMaps } from './render/sql-maps.js';
import { describeStack } from './testing/describe-stack.js';
import { dovecotQueries } from './testing/dovecot-queries.js';
import { MailRig } from './testing/mail-rig.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import { strangeAddresses } from './testing/strange-addresses.js';

const [ALICE, BOB] = ['alice@acme.test', 'bob@acme.test'];
const NAMES =
  'up domains mailboxes mailbox-self alias-names aliases recipient-access capped-recipient refused-senders suspended-transport sasl-access sender-logins notice-logins role-addresses postmaster-transport sender-transport password_query user_query iterate_query';
/** Modes that change what a quote or a backslash in a query means. */
const MODES = ['NO_BACKSLASH_ESCAPES', 'ANSI,STRICT_ALL_TABLES'];
const CHARSETS = ['latin1', 'utf8mb4', 'utf8mb3', 'binary', 'ascii', 'gbk'];
/** Not valid in some or all of these character sets. None needs to be escaped. */
const KEYS = [
  '\xfc@acme.test',
  '\xc3\xbc@acme.test',
  '\xff\xfe',
  'alice\xa0@acme.test',
  '\x80'.repeat(3000),
  'a'.repeat(5000),
];

/**
 * The queries of the former release, which read the views. `sender-transport` is that of the two relays of `RELAYS`.
 */
const BY_VIEWS: Record<string, string> = {
  domains: "SELECT domain FROM mta_domain_state WHERE domain = '%s'",
  mailboxes: "SELECT address FROM mta_mailboxes WHERE address = '%s'",
  'mailbox-self': "SELECT address FROM mta_mailboxes WHERE address = '%u@%d'",
  'alias-names': "SELECT address FROM mta_alias_names WHERE address = '%s' LIMIT 1",
  'recipient-access':
    "SELECT CASE WHEN suspended = 1 THEN 'suspended_recipient' WHEN capped_possible = 1 THEN 'capped_recipient' ELSE 'hosted_recipient' END FROM mta_domain_state WHERE domain = '%d'",
  'suspended-transport':
    "SELECT 'retry:4.2.1 Mail for this domain is suspended' FROM mta_domain_state WHERE domain = '%d' AND suspended = 1",
  'sasl-access':
    "SELECT CASE WHEN suspended = 1 THEN 'DEFER 4.7.1 Sending for this domain is suspended, try again later' WHEN active = 0 THEN 'REJECT 5.7.1 This mailbox is disabled' ELSE 'held_login' END FROM mta_mailboxes WHERE address = '%s' AND (outbound_held = 1 OR active = 0)",
  'sender-transport':
    "SELECT COALESCE((SELECT CONCAT(IF(COALESCE(relayhost, '[default]:25') IN ('[ses]:25'), 'ses:', 'smtp:'), COALESCE(relayhost, '[default]:25')) FROM mta_domain_state WHERE domain = '%d' AND outbound_held = 0), 'retry:4.7.1 Sending for this domain is on hold')",
};
const RELAYS = [
  { nextHop: '[default]:25', service: 'smtp' as const },
  { nextHop: '[ses]:25', service: 'ses' as const },
];
/** Each state of a listed domain: suspended, held, `sends_until`, the cap and the relay. */
const STATES = [0, 1].flatMap((suspended) =>
  [0, 1].flatMap((held) =>
    ['NULL', '5', '9000000000000'].flatMap((until) =>
      [0, 7].flatMap((cap) =>
        ['[default]:25', '[ses]:25', null].map((relay) => ({ suspended, held, until, cap, relay })),
      ),
    ),
  ),
);

describeStack('the queries of the mail servers', () => {
  let rig: MailRig;
  /** By map or Dovecot's setting; the key is `%s`, `%d`, `%u@%d`, `%u`, `%{user}` or `%{user|domain}`. */
  let queries: [string, string][];

  beforeAll(async () => {
    rig = await MailRig.start({ policyd: '127.0.0.1:9', milter: '127.0.0.1:9', ownDatabase: true });
    const acme = await rig.platform.partner('acme');
    await addDomain(acme, 'acme.test');
    await addMailboxes(acme, ALICE, BOB);
    await addAlias(acme, 'both@acme.test', ALICE, BOB);
    await addAlias(acme, 'info@acme.test', ALICE);
    queries = [
      ...postfixInstances(rig.settings)
        .flatMap((instance) => sqlMaps(instance, sqlMapSettings(rig.settings)))
        .map(({ name, query }): [string, string] => [name, query]),
      ...(await dovecotQueries(rig)),
    ];
  });

  afterAll(async () => {
    await rig?.stop();
  });

  /** Connects with a character set in which each character of a query is one byte. */
  const connect = async (): Promise<Connection> =>
    await createConnection({
      uri: rig.services.database.url,
      charset: 'LATIN1_SWEDISH_CI',
      connectTimeout: PATIENCE_MS,
    });
  const keyed = (query: string): [string, string][] =>
    queries.map(([name, text]) => [name, text.replaceAll(/%u@%d|(%[sdu]|%\{user(\|domain)?\})(?=' USING)/g, query)]);

  it('are those of every map and of Dovecot, and convert each key', () => {
    expect(new Set(queries.map(([name]) => name))).toEqual(new Set(NAMES.split(' ')));
    for (const [, query] of queries) expect(query).not.toMatch(/(?<!CONVERT\()'%(?!(s|\{protocol\})' = 'lmtp')/);
  });

  it('answer every key without an error when Postfix asks, whatever the mode of the server', async () => {
    const keys = strangeAddresses(50).filter((text) => !text.includes('\0') && text.trim() !== '');
    const input = [...keys, "' OR '1'='1", "\\' OR 1=1 -- ", ALICE].join('\n').concat('\n');
    for (const mode of MODES) {
      await rig.services.database.query(`SET GLOBAL sql_mode = '${mode}'`);
      for (const instance of postfixInstances(rig.settings)) {
        const directory = configDirectoryOf(rig.settings, instance);
        for (const { name } of sqlMaps(instance, sqlMapSettings(rig.settings))) {
          const { output, complaint } = await lookUp(directory, name, input);
          expect([mode, name, complaint]).toEqual([mode, name, '']);
          // It has an answer for every key with an @.
          if (name === 'sender-transport') continue;
          expect([mode, name, output]).toEqual([mode, name, expect.stringMatching(/^(.*acme\.test\t.*\n)*$/i)]);
          if (name.startsWith('mailbox')) expect(output).toContain(`${ALICE}\t${ALICE}\n`);
        }
      }
    }
    await rig.services.database.query('SET GLOBAL sql_mode = DEFAULT');
  });

  it('answer every destination and login where the server limits the rows of its sessions', async () => {
    const query = (sql: string) => rig.services.database.query(sql);
    await query('SET GLOBAL sql_select_limit = 1');
    const [submission = ''] = postfixInstances(rig.settings)
      .filter((instance) => instance === 'submission')
      .map((instance) => configDirectoryOf(rig.settings, instance));
    for (const map of ['aliases', 'sender-logins']) {
      const { output } = await lookUp(submission, map, 'both@acme.test\n');
      expect([map, output.trim().split(/[\t,]/).sort()]).toEqual([map, [ALICE, BOB, 'both@acme.test']]);
    }
    const connection = await connect();
    for (const [, text] of queries.filter(([name]) => name === 'iterate_query')) {
      for (const domain of ['', 'acme.test']) {
        const query = text.replaceAll(/%d|%\{user\|domain\}/g, domain);
        expect((await connection.query<RowDataPacket[]>(query))[0]).toHaveLength(2);
      }
    }
    await connection.end();
    await query('SET GLOBAL sql_select_limit = DEFAULT');
  });

  it('answer bytes above 127 and long keys without an error and without a row, in every character set', async () => {
    const connection = await connect();
    for (const charset of CHARSETS) {
      await connection.query(`SET NAMES ${charset}`);
      for (const key of KEYS) {
        for (const [name, query] of keyed(key).filter(([map]) => map !== 'sender-transport')) {
          const [rows] = await connection.query<RowDataPacket[]>(query);
          // It has a row for every mailbox where the key may be a mask.
          if (name !== 'iterate_query') expect([charset, name, rows]).toEqual([charset, name, []]);
        }
      }
    }
    await connection.end();
  });

  it('find a row by its index as without the conversion, in upper and lower case', async () => {
    const connection = await connect();
    const plan = async (query: string): Promise<unknown[]> => {
      const [rows] = await connection.query<RowDataPacket[]>(`EXPLAIN ${query}`);
      return rows.map(({ table, type, key, key_len }) => [table, type, key, key_len]);
    };
    for (const key of [ALICE, 'acme.test', 'info@acme.test']) {
      for (const [name, query] of keyed(key)) {
        expect([name, await plan(query)]).toEqual([
          name,
          await plan(query.replaceAll(/CONVERT\(('[^']*') USING ascii\)/g, '$1')),
        ]);
      }
    }
    for (const [name, key] of [
      ['mailboxes', 'Alice@ACME.test'],
      ['domains', 'ACME.Test'],
      ['aliases', 'INFO@acme.test'],
      ['user_query', 'ALICE@acme.TEST'],
    ] as const) {
      const [, query = ''] = keyed(key).find(([map]) => map === name) ?? [];
      expect([name, (await connection.query<RowDataPacket[]>(query))[0]]).toEqual([name, [expect.anything()]]);
      expect([name, await plan(query)]).toEqual([
        name,
        expect.arrayContaining([expect.arrayContaining([expect.stringMatching(/^(const|ref)$/)])]),
      ]);
    }
    await connection.end();
  });

  it('let Postfix read no password hash, and nothing of the tables that they do not ask for', async () => {
    const { user, password } = rig.settings.database.postfix;
    const connection = await createConnection({ uri: rig.services.database.url, user, password });
    for (const sql of [
      'SELECT password_hash FROM mailbox',
      "SELECT email FROM mailbox WHERE password_hash LIKE '$2%'",
      'SELECT * FROM mailbox',
      'SELECT password_hash FROM mda_users',
      'SELECT destination FROM alias',
      'SELECT name FROM domain',
      'SELECT value FROM installation',
    ])
      await expect(connection.query(sql)).rejects.toThrow(/command denied/);
    await connection.end();
  });

  it('answer what those of the former release answer, which read the views, of a domain in every state', async () => {
    const { database } = rig.services;
    // It would compute the rows of `mta_domain` again.
    await rig.platform.worker.stop();
    const keys = ['nobody@outside.test', '@outside.test', 'outside.test'];
    const text: string[] = [];
    const add = (name: string, state: (typeof STATES)[number] | null) => {
      keys.push(name, name.toUpperCase(), `x.${name}`, `@${name}`, `on@x.${name}`);
      keys.push(...['on', 'ON', 'off', 'also', 'nobody'].map((local) => `${local}@${name}`));
      const of = (columns: string) => `SELECT ${columns} FROM domain WHERE name = '${name}'`;
      text.push(
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES ('${name}', 1, 0, 0, 0, 0, '', 'active', 'none', '${state === null ? 'pending' : 'open'}', 0, 0)`,
        `INSERT INTO alias (domain_id, address, destination, created_at) ${of("id, CONCAT('also@', name), 'on@acme.test', 0")}`,
        `INSERT INTO alias (domain_id, address, destination, created_at) ${of("id, CONCAT('also@', name), 'off@acme.test', 0")}`,
        `INSERT INTO alias (domain_id, address, destination, created_at) ${of("id, CONCAT('@', name), 'on@acme.test', 0")}`,
        ...['on', 'off'].map(
          (local) =>
            `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at) ${of(`id, CONCAT('${local}@', name), '${local}', 'h', 0, 0, ${local === 'on' ? 1 : 0}, MD5('${local}@${name}'), 0`)}`,
        ),
        `INSERT INTO mta_relay_host (domain, relayhost) VALUES ('${name}', '${state?.relay ?? '[ses]:25'}')`,
        ...(state === null
          ? []
          : [
              `INSERT INTO mta_domain (domain_id, domain, suspended, held, sends_until, retention_days, transfer_cap_mb) ${of(`id, name, ${state.suspended}, ${state.held}, ${state.until}, 0, ${state.cap}`)}`,
              ...(state.relay === null ? [`DELETE FROM mta_relay_host WHERE domain = '${name}'`] : []),
            ]),
      );
    };
    STATES.forEach((state, index) => add(`state${index}.test`, state));
    add('pending.test', null);
    await database.query(text.join(';\n'));
    const { user, password } = rig.settings.database.postfix;
    const connection = await createConnection({ uri: database.url, user, password });
    const maps = sqlMaps('submission', { postmaster: 'postmaster@rig.test', relays: RELAYS });
    const direct = maps.filter(({ query }) => /FROM (mta_domain|mailbox|alias)\b/.test(query));
    expect(direct.map(({ name }) => name).sort()).toEqual(Object.keys(BY_VIEWS).sort());
    const answers = new Map<string, string[]>();
    for (const { name, query } of direct) {
      const found = new Set<string>();
      for (const key of keys) {
        const [local = '', domain] = key.includes('@') ? key.split('@') : ['', undefined];
        // Postfix does not ask a query with a part that the key does not have.
        if ((/%d/.test(query) && domain === undefined) || (/%u/.test(query) && local === '')) continue;
        const ask = async (sql: string): Promise<unknown[]> => {
          const filled = sql
            .replaceAll('%s', key)
            .replaceAll('%u', local)
            .replaceAll('%d', domain ?? '');
          const [rows] = await connection.query<RowDataPacket[]>(filled);
          return rows.map((row) => Object.values(row));
        };
        const answer = await ask(query);
        expect([name, key, answer]).toEqual([name, key, await ask(BY_VIEWS[name] ?? '')]);
        found.add(answer.join().replace(/(?<=@|^)[\w.]*\.test/, 'NAME'));
      }
      answers.set(name, [...found].sort());
    }
    await connection.end();
    // Each map gave each of its answers.
    expect(Object.fromEntries(answers)).toEqual({
      domains: ['', 'NAME'],
      mailboxes: ['', 'off@NAME', 'on@NAME'],
      'mailbox-self': ['', 'off@NAME', 'on@NAME'],
      'alias-names': ['', '@NAME', 'also@NAME'],
      'recipient-access': ['', 'capped_recipient', 'hosted_recipient', 'suspended_recipient'],
      'suspended-transport': ['', 'retry:4.2.1 Mail for this domain is suspended'],
      'sasl-access': [
        '',
        'DEFER 4.7.1 Sending for this domain is suspended, try again later',
        'REJECT 5.7.1 This mailbox is disabled',
        'held_login',
      ],
      'sender-transport': ['retry:4.7.1 Sending for this domain is on hold', 'ses:[ses]:25', 'smtp:[default]:25'],
    });
  });

  /** Asks a map about each line, one character for each byte, with Postfix's own client. */
  async function lookUp(directory: string, map: string, keys: string): Promise<{ output: string; complaint: string }> {
    const child = spawn('postmap', ['-c', directory, '-q', '-', `mysql:${directory}/sql/${map}.cf`]);
    const text = { output: '', complaint: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      text.output += chunk.toString('latin1');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      text.complaint += chunk.toString('latin1');
    });
    child.stdin.end(keys, 'latin1');
    await once(child, 'close');
    return text;
  }
});
