import { randomUUID } from 'node:crypto';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import type { Notifier } from '@mailstead/core/notifications/notifier';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { EntitySchema } from 'typeorm';
import type { Database, Statement } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { withDeadline } from '../driver/deadline.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { MYSQL_TIME } from '../driver/mysql-dialect.js';
import { rowTable } from '../driver/row-table.js';
import type { Session } from '../driver/session.js';
import type { SeenNode } from '../driver/written-nodes.js';
import { isNewOccurrence } from './occurrence.js';
import { nodesWrittenAtOnce, type WrittenNode } from './writer-notes.js';

const NOTE_EVERY_MS = 10 * SECOND_MS;
const NOTE_COUNTS_MS = 30 * SECOND_MS;
/** After this time without several writers, the next time counts as a new occurrence. */
const OCCURRENCE_ENDS_MS = MINUTE_MS;
/** How many connections of the pool are checked each time, in addition to those on which transactions began. */
const CHECKED_CONNECTIONS = 3;
/** The longest wait for a free connection. When all are busy, the transactions on them show their nodes. */
const OPEN_TIMEOUT_MS = 500;
/** The row of `installation` with the last time of several writers, so that only one process notifies the operators. */
const LAST_SEEN = 'several_writers_seen_at';
/** The clock of the database, because the clocks of the processes may differ. */
const NOW = MYSQL_TIME;

/** The table of processes and the Galera nodes they write to; empty without Galera. */
export function databaseWriterSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('DatabaseWriterRow', 'database_writer', {
    columns: {
      processId: columns.exact(36, { name: 'process_id', primary: true }),
      nodeName: columns.text(255, { name: 'node_name', primary: true }),
      nodeAddress: columns.text(255, { name: 'node_address', primary: true }),
      process: columns.text(300),
      // By the clock of the node that wrote the row.
      firstSeenAt: columns.time({ name: 'first_seen_at' }),
      seenAt: columns.time({ name: 'seen_at' }),
    },
    indices: [{ name: 'ix_database_writer_seen', columns: ['seenAt'] }],
  });
}

/**
 * Stores every ten seconds which Galera nodes this process writes to. When the processes of the installation write to
 * several nodes, it notifies the operators once for each occurrence. Limits and counters need row locks, which Galera
 * enforces only within one node.
 */
export class DatabaseWriters {
  private readonly processId = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  /** @param options `process` names this process to operators; `poolSize` is the number of its connections. */
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly options: { process: string; poolSize: number },
  ) {}

  start(): void {
    this.turn();
    this.timer = setInterval(() => this.turn(), NOTE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    // A hanging statement ends when the connections are closed.
    await withDeadline(this.running ?? Promise.resolve(), SECOND_MS).catch(() => undefined);
  }

  /** Stores the nodes of this process, then checks those of all processes. @throws AppError database_unavailable */
  async note(): Promise<void> {
    await this.checkConnections();
    const seen = this.database.nodes.take();
    await this.unitOfWork.run(async () => {
      await this.database.together([...seen.map((node) => this.noteSeen(node)), this.noteOwn(), this.forgetOld()]);
    });
    const nodes = await this.several();
    if (nodes.length > 0) await this.notify(nodes);
  }

  /**
   * Ignores rows with a time in the future, which are left when the clock of a node was set back.
   *
   * @returns the nodes that are written to at the same time; an empty list for a single node
   */
  async several(): Promise<WrittenNode[]> {
    const rows = await this.database.read(
      `SELECT node_name, node_address, process, first_seen_at, seen_at FROM database_writer
        WHERE seen_at BETWEEN ${NOW} - ? AND ${NOW} + ?`,
      [NOTE_COUNTS_MS, NOTE_COUNTS_MS],
    );
    return nodesWrittenAtOnce(
      rows.map((row) => ({
        nodeName: String(row.node_name),
        nodeAddress: String(row.node_address),
        process: String(row.process),
        firstSeenAt: Number(row.first_seen_at),
        seenAt: Number(row.seen_at),
      })),
    );
  }

  private turn(): void {
    // An error is ignored: the next turn tries again, and another check reports an unavailable database.
    this.running ??= this.note()
      .catch(() => undefined)
      .finally(() => {
        this.running = null;
      });
  }

  /** Begins transactions on several connections at once: a load balancer may connect them to different nodes. */
  private async checkConnections(): Promise<void> {
    const count = Math.min(CHECKED_CONNECTIONS, this.options.poolSize);
    const opened = await Promise.allSettled(Array.from({ length: count }, () => this.openWithinTimeout()));
    const sessions = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(
      sessions.map(async (session) => {
        try {
          await session.begin();
          await session.read('SELECT 1', []);
          await session.rollback();
          session.release();
        } catch {
          session.discard();
        }
      }),
    );
  }

  private async openWithinTimeout(): Promise<Session> {
    const opening = this.database.openSession();
    try {
      return await withDeadline(opening, OPEN_TIMEOUT_MS);
    } catch (error) {
      opening.then((session) => session.release()).catch(() => undefined);
      throw error;
    }
  }

  /** The statement reads the name of the node that runs it. */
  private noteOwn(): Statement {
    return this.noteAt("@@wsrep_node_name, COALESCE(@@wsrep_node_address, '')", [], 0, 0);
  }

  private noteSeen({ name, address, firstAt, lastAt }: SeenNode): Statement {
    const now = performance.now();
    return this.noteAt('?, ?', [name, address], Math.round(now - firstAt), Math.round(now - lastAt));
  }

  private noteAt(node: string, parameters: string[], firstAgoMs: number, lastAgoMs: number): Statement {
    return {
      sql: `INSERT INTO database_writer (process_id, node_name, node_address, process, first_seen_at, seen_at)
            VALUES (?, ${node}, ?, ${NOW} - ?, ${NOW} - ?)
            ON DUPLICATE KEY UPDATE
              first_seen_at = IF(seen_at < VALUES(first_seen_at) - ?, VALUES(first_seen_at), LEAST(first_seen_at, VALUES(first_seen_at))),
              seen_at = VALUES(seen_at)`,
      parameters: [this.processId, ...parameters, this.options.process, firstAgoMs, lastAgoMs, NOTE_COUNTS_MS],
    };
  }

  private forgetOld(): Statement {
    return { sql: `DELETE FROM database_writer WHERE seen_at < ${NOW} - ?`, parameters: [HOUR_MS] };
  }

  private async notify(nodes: readonly WrittenNode[]): Promise<void> {
    try {
      await this.unitOfWork.run(async () => {
        const [row] = await this.database.read(`SELECT ${NOW} AS now`);
        if (await isNewOccurrence(this.database, LAST_SEEN, Number(row?.now), OCCURRENCE_ENDS_MS)) {
          await this.notifier.notify('database.several_writers', null, this.clock.now(), { nodes });
        }
      });
    } catch (error) {
      // Another process inserted the row meanwhile, and notifies.
      if (!isDuplicateError(error)) throw error;
    }
  }
}
