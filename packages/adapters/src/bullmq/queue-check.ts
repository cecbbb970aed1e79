import { HealthCheck } from '@mailstead/core/health-check';
import type { QueueWatch } from './queue-watch.js';

/** Checks that Redis responds. Without Redis no job is lost. */
export class QueueCheck extends HealthCheck {
  override readonly name = 'queue';

  constructor(private readonly watch: QueueWatch) {
    super();
  }

  override async problem(): Promise<string | null> {
    return (await this.watch.probe()).is === 'silent'
      ? 'Redis does not answer; jobs start up to 5 s late until it does'
      : null;
  }
}

/** Warns while Redis responds and refuses what the queue needs. */
export class QueueRefusalCheck extends HealthCheck {
  override readonly name = 'queue';
  override readonly isWarning = true;

  constructor(private readonly watch: QueueWatch) {
    super();
  }

  override async problem(): Promise<string | null> {
    const state = await this.watch.probe();
    return state.is === 'refused'
      ? `Redis refuses what the queue needs (${state.words}); jobs start up to 5 s late until it does not`
      : null;
  }
}
