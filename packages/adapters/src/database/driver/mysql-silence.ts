import { setImmediate as nextTurn } from 'node:timers/promises';
import { deadline } from '@mailstead/core/deadlines';
import type { PoolConnection } from 'mysql2';
import { closeAtOnce, socketOf } from './mysql-driver.js';
import type { MysqlServerSide, ServerPlace } from './mysql-server-side.js';

/** A statement of which no server tells anything for so many questions, a minute, is lost too. */
const MOST_UNKNOWN = 24;

/**
 * Watches the statements of one connection, whoever sends them. When no byte of an answer arrives for
 * `databaseSilence`, the server is asked whether it works on the statement. If not, the connection ends as one that the
 * network closed: whoever waits gets that error.
 */
export class SilenceWatch {
  private readonly timer: NodeJS.Timeout;
  private owed = 0;
  private askedAt = 0;
  private unknown = 0;
  private hasEnded = false;

  /**
   * @param place null when the server does not show it
   * @param onSilent gets when the statement was sent that had no answer (`performance.now`)
   */
  constructor(
    private readonly connection: PoolConnection,
    private readonly place: ServerPlace | null,
    private readonly serverSide: MysqlServerSide,
    private readonly onSilent: (askedAt: number) => void,
  ) {
    this.timer = setTimeout(() => void this.ask(), deadline('databaseSilence')).unref();
    this.countStatements();
    this.closeInTime();
    for (const event of ['error', 'end']) connection.once(event, () => this.stop());
  }

  /** Ends the connection here and on the server, which would keep its statement, its transaction and its locks. */
  end(): void {
    if (this.hasEnded) return;
    this.stop();
    const isSilent = this.owed > 0;
    if (isSilent) this.onSilent(this.askedAt);
    closeAtOnce(this.connection, isSilent ? lostConnection() : undefined);
    if (this.place !== null) void this.serverSide.end(this.place);
  }

  private stop(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }

  private countStatements(): void {
    const send = this.connection.query.bind(this.connection);
    const counted = (...given: Parameters<typeof send>) => {
      const statement = send(...given);
      this.owed += 1;
      this.unknown = 0;
      this.askedAt = performance.now();
      this.timer.refresh();
      // Not after the end of the connection, nor after a time limit.
      statement.once('end', () => {
        this.owed -= 1;
      });
      return statement;
    };
    this.connection.query = counted as typeof send;
  }

  /** Lets a connection that the pool closes, because nobody uses it, not wait for a far side that is silent. */
  private closeInTime(): void {
    const end = this.connection.end.bind(this.connection);
    const socket = socketOf(this.connection);
    this.connection.end = (done?: Parameters<typeof end>[0]) => {
      const timer = setTimeout(() => socket.destroy(), deadline('databaseGreeting')).unref();
      socket.once('close', () => clearTimeout(timer));
      end(done);
    };
  }

  private async ask(): Promise<void> {
    // The next statement starts the timer again.
    if (this.owed === 0) return;
    const { bytesRead } = socketOf(this.connection);
    const doing = this.place === null ? 'unknown' : await this.serverSide.doingOf(this.place);
    // An answer that arrived while the process was busy is read first.
    await nextTurn();
    if (this.owed === 0 || this.hasEnded) return;
    this.unknown = doing === 'unknown' ? this.unknown + 1 : 0;
    const isLost = doing === 'nothing' || this.unknown >= MOST_UNKNOWN;
    if (isLost && socketOf(this.connection).bytesRead === bytesRead) this.end();
    else this.timer.refresh();
  }
}

function lostConnection(): Error {
  return Object.assign(new Error('Connection lost: the server does not work on the statement'), {
    code: 'PROTOCOL_CONNECTION_LOST',
  });
}
