import { Clock, HOUR_MS } from '../clock.js';
import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { TrailOptions } from './trail-options.js';
import { UnreportedHosts } from './unreported-hosts.js';

const SILENT_MS = HOUR_MS;
const MOST_NAMED = 5;

/** Warns of mail servers that reported trails before, and report none of the messages that this process counts. */
@needs(UnreportedHosts, TrailOptions, Clock)
export class TrailSilentCheck extends HealthCheck {
  override readonly name = 'trail_silent';
  override readonly isWarning = true;

  constructor(
    private readonly unreported: UnreportedHosts,
    private readonly options: Pick<TrailOptions, 'trailDays'>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async problem(): Promise<string | null> {
    if (this.options.trailDays === 0) return null;
    try {
      const silent = await this.silentHosts();
      if (silent.length === 0) return null;
      const named = silent.slice(0, MOST_NAMED).join(', ');
      const others = silent.length > MOST_NAMED ? ` and ${silent.length - MOST_NAMED} others` : '';
      return `No trail was reported for an hour by ${named}${others}, whose messages are counted; see whether the policy daemon reads Postfix's log there (TRAIL_LOG)`;
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return null;
    }
  }

  private async silentHosts(): Promise<string[]> {
    const now = this.clock.now().getTime();
    const isSilent = ([, first]: [string, Date]) => now - first.getTime() >= SILENT_MS;
    return [...(await this.unreported.find())]
      .filter(isSilent)
      .map(([host]) => host)
      .sort();
  }
}
