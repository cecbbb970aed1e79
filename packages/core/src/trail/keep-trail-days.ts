import { DAY_MS, DatabaseClock, HOUR_MS } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { keptDays, TrailOptions } from './trail-options.js';
import { TrailStore } from './trail-store.js';

/** Days after which a mail server that reports nothing is forgotten. */
const HOSTS_KEPT_DAYS = 30;

/**
 * Drops the days that are no longer kept, and makes the days to come. A run that fails is made up for by the next one:
 * rows of a day that was not made are kept too.
 */
@needs(TrailStore, DatabaseClock, TrailOptions)
export class KeepTrailDays {
  constructor(
    private readonly store: TrailStore,
    private readonly clock: DatabaseClock,
    private readonly options: TrailOptions,
  ) {}

  async execute(): Promise<JobCounts> {
    const now = await this.clock.time();
    const { first, last } = keptDays(this.options, now);
    // With 0 nothing is written, so that also the present day is dropped.
    const days = await this.store.keepDays({ first: this.options.trailDays === 0 ? last : first, last });
    const hosts = await this.store.forgetHosts(new Date(now.getTime() - HOSTS_KEPT_DAYS * DAY_MS));
    const gaps = await this.store.forgetGaps(new Date(first * DAY_MS));
    const readings = await repeatUntilNone(() => this.store.forgetReadings(new Date(now.getTime() - 2 * HOUR_MS)));
    return { days, hosts, gaps, readings };
  }
}
