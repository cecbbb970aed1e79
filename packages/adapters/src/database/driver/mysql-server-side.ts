import { setTimeout as pause } from 'node:timers/promises';
import { Batcher } from '@mailstead/core/batcher';
import { deadline } from '@mailstead/core/deadlines';
import { type ConnectionOptions, createConnection } from 'mysql2';
import { closeAtOnce, type MysqlHandle, query } from './mysql-driver.js';
import { sessionOf } from './mysql-settings.js';
import { connectionTo, parseMysqlUrl } from './mysql-url.js';

/** A connection as its server knows it. */
export interface ServerPlace {
  /** Its number, which is unique on one server only. */
  id: number;
  /** The address that the server sees: of this process, or of a balancer. */
  client: string;
  server: string;
}

/**
 * What the server does for a connection. `unknown`: the server that answers is another one, or it accepts no further
 * connection.
 */
export type Doing = 'working' | 'nothing' | 'unknown';

interface ProcessRow extends ServerPlace {
  command: string;
  state: string | null;
}

/** A user sees its own processes without a right. */
const PROCESSES =
  'SELECT id, host AS client, command, state, CONCAT_WS(CHAR(32), @@hostname, @@port, @@datadir) AS server FROM information_schema.processlist';
const MOST_AT_ONCE = 100;
const ATTEMPTS_TO_END = 3;
/** The answer of a statement that just ended may be on its way. */
const PART_OF_SILENCE = 5;

/** @returns the place of a connection, which it asks */
export async function placeOf(connection: MysqlHandle): Promise<ServerPlace | null> {
  const sql = `${PROCESSES} WHERE id = CONNECTION_ID()`;
  const [row] = (await query(connection, sql, [], deadline('databaseRead'))) as ProcessRow[];
  return row === undefined ? null : { id: row.id, client: row.client, server: row.server };
}

/**
 * Asks the server about connections of this process that are silent, and ends them there, each time on a new
 * connection. A firewall that forgot a connection tells neither side: a new one is answered, which proves nothing of
 * the old one, and the server keeps the locks of a statement that nobody waits for.
 */
export class MysqlServerSide {
  private readonly asked = new Batcher<ServerPlace, Doing>((places) => this.ask(places), {
    maxItems: MOST_AT_ONCE,
    maxInFlight: 2,
  });
  private readonly ended = new Batcher<ServerPlace, null>((places) => this.endAll(places), {
    maxItems: MOST_AT_ONCE,
    maxInFlight: 2,
  });

  private readonly options: ConnectionOptions;
  private readonly session = sessionOf({ endsSilentTransactions: false });

  constructor(url: string) {
    this.options = { ...connectionTo(parseMysqlUrl(url)), connectTimeout: deadline('databaseGreeting') };
  }

  /** What the server does for a connection that owes an answer. Never rejects. */
  async doingOf(place: ServerPlace): Promise<Doing> {
    const doing = await this.asked.call(place);
    if (doing === 'nothing') await pause(deadline('databaseSilence') / PART_OF_SILENCE, null, { ref: false });
    return doing;
  }

  /** Ends a connection on the server, with its statement and transaction. Never rejects. */
  async end(place: ServerPlace): Promise<void> {
    await this.ended.call(place);
  }

  private async ask(places: ServerPlace[]): Promise<Doing[]> {
    try {
      return await this.onNewConnection(async (connection) => {
        const rows = await this.find(connection, places);
        return places.map((place) => {
          if (!isSameServer(place, rows)) return 'unknown';
          return isWorking(rowOf(place, rows)) ? 'working' : 'nothing';
        });
      });
    } catch (error) {
      // An error from the server itself, such as too many connections, proves that it responds.
      const doing = isFromServer(error) ? 'unknown' : 'nothing';
      return places.map(() => doing);
    }
  }

  private async endAll(places: ServerPlace[]): Promise<null[]> {
    for (let attempt = 1; attempt <= ATTEMPTS_TO_END; attempt += 1) {
      try {
        await this.onNewConnection(async (connection) => {
          const rows = await this.find(connection, places);
          // One number may be of another process's connection on another server, or given again after a restart.
          const found = places.filter((place) => isSameServer(place, rows) && rowOf(place, rows) !== undefined);
          for (const { id } of found) await kill(connection, id);
        });
        break;
      } catch {
        await pause(deadline('databaseSilence'), null, { ref: false });
      }
    }
    return places.map(() => null);
  }

  private async find(connection: MysqlHandle, places: readonly ServerPlace[]): Promise<ProcessRow[]> {
    const ids = places.map(({ id }) => id);
    // Its own row tells which server answers.
    const sql = `${PROCESSES} WHERE id = CONNECTION_ID() OR id IN (?)`;
    return (await query(connection, sql, [ids], deadline('databaseGreeting'))) as ProcessRow[];
  }

  private async onNewConnection<T>(work: (connection: MysqlHandle) => Promise<T>): Promise<T> {
    const connection = createConnection(this.options);
    // The error comes with the statement too.
    connection.on('error', () => undefined);
    try {
      // `sql_select_limit` or `max_join_size` of the server would leave out rows of the list, or refuse it.
      await query(connection, this.session, [], deadline('databaseGreeting'));
      return await work(connection);
    } finally {
      closeAtOnce(connection);
    }
  }
}

function isSameServer(place: ServerPlace, rows: readonly ProcessRow[]): boolean {
  return rows.some(({ server }) => server === place.server);
}

function rowOf(place: ServerPlace, rows: readonly ProcessRow[]): ProcessRow | undefined {
  return rows.find(({ id, client }) => id === place.id && client === place.client);
}

/** A server that cannot get rid of an answer (`Writing to net`, on MySQL `Sending to client`) is done with it. */
function isWorking(row: ProcessRow | undefined): boolean {
  return row !== undefined && row.command !== 'Sleep' && !/^(Writing to net|Sending to client)/.test(row.state ?? '');
}

async function kill(connection: MysqlHandle, id: number): Promise<void> {
  try {
    await query(connection, `KILL CONNECTION ${id}`, [], deadline('databaseGreeting'));
  } catch (error) {
    // It may have ended meanwhile (ER_NO_SUCH_THREAD).
    if (!isFromServer(error)) throw error;
  }
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'sqlState' in error && error.sqlState !== undefined;
}
