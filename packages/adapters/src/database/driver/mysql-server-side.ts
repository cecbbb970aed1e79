import { setTimeout as pause } from 'node:timers/promises';
import { Batcher } from '@mailstead/core/batcher';
import { deadline } from '@mailstead/core/deadlines';
import { createConnection } from 'mysql2';
import { type MysqlHandle, query } from './mysql-driver.js';
import { parseMysqlUrl } from './mysql-url.js';

/** A connection as its server knows it. */
export interface ServerPlace {
  /** Its number, which is unique on one server only. */
  id: number;
  /** The address that the server sees: of this process, or of a balancer. */
  client: string;
  server: string;
}

/** `unknown`: the server that answers is another one, or it accepts no further connection. */
type Doing = 'working' | 'idle' | 'gone' | 'unknown';

interface ProcessRow extends ServerPlace {
  command: string;
}

/** A user sees its own processes without a right. */
const PROCESSES =
  'SELECT id, host AS client, command, CONCAT_WS(CHAR(32), @@hostname, @@port, @@datadir) AS server FROM information_schema.processlist';
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

  constructor(private readonly url: string) {}

  /** Whether a connection that owes an answer will never bring it. Never rejects. */
  async isLost(place: ServerPlace): Promise<boolean> {
    const doing = await this.asked.call(place);
    if (doing === 'idle') await pause(deadline('databaseSilence') / PART_OF_SILENCE, null, { ref: false });
    return doing === 'idle' || doing === 'gone';
  }

  /** Ends a connection on the server, with its statement and transaction. Never rejects. */
  async end(place: ServerPlace): Promise<void> {
    await this.ended.call(place);
  }

  private async ask(places: ServerPlace[]): Promise<Doing[]> {
    try {
      return await this.onNewConnection(async (connection) => {
        const rows = await this.find(connection, places);
        return places.map((place) => doingOf(place, rows));
      });
    } catch (error) {
      // An error from the server itself, such as too many connections, proves that it responds.
      const doing = isFromServer(error) ? 'unknown' : 'gone';
      return places.map(() => doing);
    }
  }

  private async endAll(places: ServerPlace[]): Promise<null[]> {
    for (let attempt = 1; attempt <= ATTEMPTS_TO_END; attempt += 1) {
      try {
        await this.onNewConnection(async (connection) => {
          const rows = await this.find(connection, places);
          // One number may be of another process's connection on another server, or given again after a restart.
          const found = places.filter((place) => ['working', 'idle'].includes(doingOf(place, rows)));
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
    const connection = createConnection({ ...parseMysqlUrl(this.url), connectTimeout: deadline('databaseGreeting') });
    // The error comes with the statement too.
    connection.on('error', () => undefined);
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  }
}

function doingOf(place: ServerPlace, rows: readonly ProcessRow[]): Doing {
  if (!rows.some(({ server }) => server === place.server)) return 'unknown';
  const row = rows.find(({ id, client }) => id === place.id && client === place.client);
  if (row === undefined) return 'gone';
  return row.command === 'Sleep' ? 'idle' : 'working';
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
