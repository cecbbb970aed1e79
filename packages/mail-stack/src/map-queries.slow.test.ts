import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';
import { configDirectoryOf, postfixInstances, sqlMapSettings } from './render/render-postfix.js';
import { sqlMaps } from './render/sql-maps.js';
import { describeStack } from './testing/describe-stack.js';
import { MailRig } from './testing/mail-rig.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import { strangeAddresses } from './testing/strange-addresses.js';

const ALICE = 'alice@acme.test';
const NAMES =
  'domains mailboxes mailbox-self alias-names aliases recipient-access capped-recipient suspended-transport sasl-access sender-logins notice-logins role-addresses postmaster-transport sender-transport password_query user_query iterate_query';
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

describeStack('the queries of the mail servers', () => {
  let rig: MailRig;
  /** By map or Dovecot's setting; the key is `%s`, `%d`, `%u@%d` or `%u`. */
  let queries: [string, string][];

  beforeAll(async () => {
    rig = await MailRig.start({ policyd: '127.0.0.1:9', milter: '127.0.0.1:9', ownDatabase: true });
    const acme = await rig.platform.partner('acme');
    await addDomain(acme, 'acme.test');
    await addMailboxes(acme, ALICE);
    await addAlias(acme, 'info@acme.test', ALICE);
    const dovecot = await readFile(`${rig.settings.dovecot.configDirectory}/dovecot-sql.conf.ext`, 'utf8');
    queries = [
      ...postfixInstances(rig.settings)
        .flatMap((instance) => sqlMaps(instance, sqlMapSettings(rig.settings)))
        .map(({ name, query }): [string, string] => [name, query]),
      ...[...dovecot.matchAll(/^(\w+_query) = ((?:.*\\\n)*.*)/gm)].map(
        ([, name = '', query = '']): [string, string] => [name, query.replaceAll('\\\n', '')],
      ),
    ];
  }, 120_000);

  afterAll(async () => {
    await rig?.stop();
  }, 20_000);

  /** Connects with a character set in which each character of a query is one byte. */
  const connect = async (): Promise<Connection> =>
    await createConnection({
      uri: rig.services.database.url,
      charset: 'LATIN1_SWEDISH_CI',
      connectTimeout: PATIENCE_MS,
    });
  const keyed = (query: string): [string, string][] =>
    queries.map(([name, text]) => [name, text.replaceAll(/%u@%d|%[sdu](?=' USING)/g, query)]);

  it('are those of every map and of Dovecot, and convert each key', () => {
    expect(new Set(queries.map(([name]) => name))).toEqual(new Set(NAMES.split(' ')));
    for (const [, query] of queries) expect(query).not.toMatch(/(?<!CONVERT\()'%(?!s' = 'lmtp')/);
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

  it('answer bytes above 127 and long keys without an error and without a row, in every character set', async () => {
    const connection = await connect();
    for (const charset of CHARSETS) {
      await connection.query(`SET NAMES ${charset}`);
      for (const key of KEYS) {
        for (const [name, query] of keyed(key).filter(([map]) => !/^(sender-transport|iterate_query)$/.test(map))) {
          const [rows] = await connection.query<RowDataPacket[]>(query);
          expect([charset, name, rows]).toEqual([charset, name, []]);
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
