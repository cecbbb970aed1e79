import { HealthCheck } from '@mailstead/core/health-check';
import type { QueueWatch } from './queue-watch.js';

/** Checks that Redis responds. Without Redis no job is lost. */
export class QueueCheck extends HealthCheck {
  override readonly name = 'queue';

  constructor(private readonly watch: QueueWatch) {
    super();
  }

  override async problem(): Promise<string | null> {
    return (await this.watch.probe()) === 'silent'
      ? 'Redis does not answer; jobs start up to 5 s late until it does'
      : null;
  }
}

/** Warns while Redis responds and refuses to write. */
export class QueueWriteCheck extends HealthCheck {
  override readonly name = 'queue';
  override readonly isWarning = true;

  constructor(private readonly watch: QueueWatch) {
    super();
  }

  override async problem(): Promise<string | null> {
    if ((await this.watch.probe()) !== 'refusing') return null;
    return 'Redis refuses to write: it is a replica, or its memory or disk is full; jobs start up to 5 s late';
  }
}
