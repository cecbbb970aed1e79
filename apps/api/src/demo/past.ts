import { createAll, idOf } from '@mailstead/adapters/bindings';
import type { Config } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import type { Database } from '@mailstead/adapters/database/driver/database';
import type { InventedOutside } from '@mailstead/adapters/demo/invented-outside';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { JobRunner } from '@mailstead/adapters/jobs/job-runner';
import { createLogger } from '@mailstead/adapters/logger';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { Clock, type DatabaseClock } from '@mailstead/core/clock';
import { QUEUES } from '@mailstead/core/jobs/jobs';
import type { Token } from '@mailstead/core/needs';

/** A time in the past, set by what a demo invents. */
class PastClock extends Clock implements DatabaseClock {
  at = new Date(0);

  override now(): Date {
    return new Date(this.at);
  }

  async time(): Promise<Date> {
    return this.now();
  }
}

/** Something that a caller or another system did. It may be repeated. */
export interface Happening {
  at: Date;
  happen: () => Promise<unknown>;
}

/** The service as it was: the same use cases on the same database, at times that are over. */
export class Past {
  private readonly clock = new PastClock();
  private readonly container: ReturnType<typeof createContainer>;

  constructor(config: Readonly<Config>, database: Database, outside: InventedOutside) {
    this.container = createContainer(config, {
      name: 'api',
      database,
      clock: this.clock,
      databaseClock: this.clock,
      waker: new InProcessWaker(this.clock),
      // What a service has logged in the past is in no log now.
      jobLog: new LoggedJobs(createLogger('error')),
      createRateLimiter: (rules) => new InProcessRateLimiter(rules),
      share: 'interactive',
      outside,
    });
    // What is created within a unit of work would read in it for ever (`Batcher`).
    createAll(this.container);
  }

  get now(): Date {
    return this.clock.now();
  }

  get<T>(token: Token<T>): T {
    return this.container.get(idOf(token));
  }

  /** Does all in the order of their times. */
  async happen(happenings: readonly Happening[]): Promise<void> {
    for (const { at, happen } of happenings.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
      this.clock.at = at;
      await happen();
    }
  }

  /** Runs the jobs that are due by then. */
  async runJobs(): Promise<void> {
    const runner = this.get(JobRunner);
    for (const queue of QUEUES) {
      await runner.startDue(queue);
      await runner.idle();
    }
  }
}
