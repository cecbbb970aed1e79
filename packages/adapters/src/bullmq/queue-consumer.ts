import { SECOND_MS } from '@mailstead/core/clock';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueErrors } from './queue-errors.js';
import { PREFIX } from './queue-names.js';
import { refusalIn } from './redis.js';

const RETRY_AFTER_MS = 5 * SECOND_MS;

/**
 * Takes the messages of one queue by a BullMQ worker. A worker repeats a command that Redis refuses at once and for
 * ever, which takes a whole processor. So it is closed then, and another one with a new connection begins some seconds
 * later.
 */
export class QueueConsumer {
  private current: { worker: Worker; connection: Redis } | null = null;
  private retry: NodeJS.Timeout | undefined;

  /** @param connect opens a connection whose commands wait until Redis can be reached */
  constructor(
    private readonly name: string,
    private readonly wake: () => Promise<void>,
    private readonly connect: () => Redis,
    private readonly errors: Pick<QueueErrors, 'report'>,
  ) {}

  start(): void {
    const connection = this.connect();
    const worker = new Worker(this.name, this.wake, {
      connection,
      prefix: PREFIX,
      // A process that has no free job slot takes no further message, so another process gets it.
      concurrency: 1,
      // When a worker is killed, its message goes to another worker after this time. A running worker renews its lock.
      lockDuration: 10 * SECOND_MS,
      stalledInterval: 5 * SECOND_MS,
    });
    this.current = { worker, connection };
    worker.on('error', (error) => {
      if (worker !== this.current?.worker) return;
      this.errors.report(error);
      if (refusalIn(error) !== null) this.startLater();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.retry);
    await this.end();
  }

  private startLater(): void {
    void this.end();
    this.retry = setTimeout(() => this.start(), RETRY_AFTER_MS).unref();
  }

  /**
   * A forced close, because a graceful one waits for Redis. A message that is not acknowledged goes to another process.
   */
  private async end(): Promise<void> {
    if (this.current === null) return;
    const { worker, connection } = this.current;
    this.current = null;
    await worker.close(true).catch(this.errors.report);
    connection.disconnect();
  }
}
