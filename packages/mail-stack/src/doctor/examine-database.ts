import { readAuthorities } from '@mailstead/adapters/database/driver/mysql-tls';
import { connectionTo } from '@mailstead/adapters/database/driver/mysql-url';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { READABLE, type Readable } from '../render/render-grants.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineReplica } from './examine-replica.js';
import { type Finding, toFinding, Warning } from './finding.js';

/** The allowed difference between two machines' clocks, in milliseconds. Daily limits and purges depend on it. */
const CLOCK_TOLERANCE_MS = 5000;
/**
 * What the checks rely on, whatever the server is set to. Not its zone: Postfix and Dovecot have that of the server.
 */
const SESSION =
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES', character_set_client = 'utf8mb4', character_set_results = 'utf8mb4', collation_connection = 'utf8mb4_bin', autocommit = 1, sql_select_limit = 18446744073709551615, sql_big_selects = 1 /*M!, max_statement_time = 0 */";
/** The used part of the connections above which the doctor warns. */
const FEW_LEFT = 0.9;

/**
 * Checks that both read-only users can read what they need and nothing else, that the database's clock agrees with this
 * machine's, that its data are not old, and that the switches of forwarding agree.
 */
export async function examineDatabase(settings: MailStackSettings): Promise<Finding[]> {
  const { database, forwarding, postmaster } = settings;
  const { createConnection } = await import('mysql2/promise');
  const findings: Finding[] = [];
  for (const reader of ['postfix', 'dovecot'] as const) {
    const { user, password } = database[reader];
    let connection: Connection | null = null;
    findings.push(
      await toFinding(`The database user ${user} cannot log in at ${database.host}:${database.port}`, async () => {
        const { host, port, name } = database;
        const tls = database.tls && {
          mode: 'VERIFY_IDENTITY' as const,
          ...readAuthorities(database.tls.caFile, 'database.tls.caFile'),
        };
        const options = connectionTo({ host, port, user, password, database: name, tls });
        connection = await createConnection({ ...options, connectTimeout: 10_000 });
        await connection.query(SESSION);
        return `The database user ${user} logs in at ${host}:${port}${tls === null ? '' : ', in TLS'}.`;
      }),
    );
    if (connection !== null) {
      findings.push(...(await examineUser(connection, user, database.name, READABLE[reader])));
      if (reader === 'postfix') {
        findings.push(
          await examineClock(connection),
          await examineConnections(connection),
          await examineReplica(connection, settings),
          await examineForwarding(connection, forwarding !== null),
          await examinePostmaster(connection, postmaster),
        );
      }
      if (reader === 'dovecot') findings.push(await countCostlyHashes(connection));
      await (connection as Connection).end();
    }
  }
  return findings;
}

async function examineUser(
  connection: Connection,
  user: string,
  database: string,
  readables: readonly Readable[],
): Promise<Finding[]> {
  const readable = await toFinding(`${user} cannot read its views; run grants.sql again`, async () => {
    for (const { name, columns = ['*'] } of readables)
      await connection.query(`SELECT ${columns.join(', ')} FROM ${name} LIMIT 1`);
    return `${user} reads ${readables.map(({ name }) => name).join(', ')}.`;
  });
  const limited = await toFinding(`${user} may do more than it needs; run grants.sql again`, async () => {
    const [grants] = await connection.query<RowDataPacket[]>('SHOW GRANTS');
    const texts = grants.map((row) => String(Object.values(row)[0]));
    const allowed = (grant: string): boolean =>
      grant.startsWith('GRANT USAGE ON') ||
      // Grants to PUBLIC on other databases, such as MariaDB's `test`, are ignored.
      (grant.includes(' TO PUBLIC') && !grant.includes(`\`${database}\`.`)) ||
      readables.some((readable) => isGrantOf(grant, readable));
    const extra = texts.find((grant) => !allowed(grant));
    if (extra !== undefined) throw new Error(extra.replace(/ IDENTIFIED BY .*/, ''));
    return `${user} may do nothing else.`;
  });
  return [readable, limited];
}

/** @returns whether the grant allows to read this, and no other columns of it */
function isGrantOf(grant: string, { name, columns }: Readable): boolean {
  const [, granted, on] = /^GRANT SELECT(?: \(([^)]*)\))? ON \S+\.[`"]?(\w+)[`"]? TO /.exec(grant) ?? [];
  if (on !== name) return false;
  return columns === undefined || granted?.match(/\w+/g)?.every((column) => columns.includes(column)) === true;
}

async function examineClock(connection: Connection): Promise<Finding> {
  return await toFinding('The clocks do not agree', async () => {
    const before = Date.now();
    const [rows] = await connection.query<RowDataPacket[]>(
      "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000 AS now",
    );
    return compareClock('the database', Number(rows[0]?.now), before, Date.now());
  });
}

/** Each map of Postfix has a connection of its own in each proxymap process, so a server can run out of them. */
async function examineConnections(connection: Connection): Promise<Finding> {
  return await toFinding('The connections of the database cannot be counted', async () => {
    const value = async (statement: string): Promise<number> => {
      const [rows] = await connection.query<RowDataPacket[]>(statement);
      return Number(rows[0]?.Value);
    };
    const most = await value("SHOW GLOBAL VARIABLES LIKE 'max_connections'");
    const used = await value("SHOW GLOBAL STATUS LIKE 'Max_used_connections'");
    const sentence = `The database had at most ${used} of ${most} connections (max_connections).`;
    if (used >= most * FEW_LEFT) throw new Warning(`${sentence} Raise max_connections: without one, mail is deferred.`);
    return sentence;
  });
}

/** Hosted domains without a postmaster@ or abuse@ of their own have the platform's (RFC 5321 section 4.5.1). */
async function examinePostmaster(connection: Connection, postmaster: string): Promise<Finding> {
  return await toFinding('The postmaster cannot be looked up', async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT address FROM mta_mailboxes WHERE address = ? UNION ALL SELECT address FROM mta_aliases WHERE address = ? LIMIT 1',
      [postmaster, postmaster],
    );
    if (rows.length > 0)
      return `${postmaster} receives the mail to postmaster and abuse of domains without such an address.`;
    throw new Warning(
      `${postmaster} is no address of this platform, so mail to postmaster@ and abuse@ of a domain without such an address is refused.`,
    );
  });
}

/**
 * Counts the mailboxes with hashes that cost more than those that Mailstead takes now. Only earlier releases stored
 * such hashes, and each ends when its password changes, so they are no problem of the installation.
 */
async function countCostlyHashes(connection: Connection): Promise<Finding> {
  return await toFinding('The costs of the password hashes cannot be read', async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      "SELECT COUNT(*) AS costly, MAX(SUBSTRING(password_hash, 5, 2)) AS cost FROM mda_users WHERE password_hash REGEXP '^[$]2[aby][$](1[3-9]|[2-9])'",
    );
    const costly = Number(rows[0]?.costly);
    if (costly === 0) return 'No password hash costs more than bcrypt 12.';
    return `${costly} mailboxes have a password hash above bcrypt 12 (up to ${rows[0]?.cost}); each login to them takes seconds of processor time until the password is changed.`;
  });
}

/** Checks that the settings, the value that `grants.sql` stored, and the API's ALLOW_EXTERNAL_FORWARD agree. */
async function examineForwarding(connection: Connection, isSetUp: boolean): Promise<Finding> {
  return await toFinding('Forwarding to the outside is not as the settings say', async () => {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT allowed, set_up FROM mta_forwarding');
    const [allowed, written] = [rows[0]?.allowed === 1, rows[0]?.set_up === 1];
    if (written !== isSetUp) {
      throw new Error(
        `the database has it ${written ? 'on' : 'off'}, the settings of the mail stack ${isSetUp ? 'on' : 'off'}; run grants.sql again`,
      );
    }
    if (allowed && !isSetUp) {
      throw new Error(
        'the API has ALLOW_EXTERNAL_FORWARD=true, but the settings have no "forwarding": the API refuses outside destinations, and the mail servers ignore those that exist',
      );
    }
    return `Forwarding to the outside is ${isSetUp ? `set up${allowed ? '' : ', and the API makes no aliases for it'}` : 'off'}.`;
  });
}

/**
 * Compares another clock with this machine's; all times are in milliseconds since 1970.
 *
 * @param before this machine's time before `theirs` was read; `after`: after it.
 * @returns a sentence for the finding.
 * @throws Error when `theirs` is outside `before`..`after` by more than the tolerance.
 */
export function compareClock(name: string, theirs: number, before: number, after: number): string {
  const ahead = theirs - after;
  const behind = before - theirs;
  const apart = Math.max(ahead, behind);
  if (!(apart <= CLOCK_TOLERANCE_MS)) {
    throw new Error(
      `the clock of ${name} is ${Math.round(apart / 1000)} s ${ahead > behind ? 'ahead of' : 'behind'} this machine's`,
    );
  }
  return `The clock of ${name} agrees with this machine's.`;
}
