import { needs } from '../needs.js';
import { CountedHosts } from './counted-hosts.js';
import { TrailStore } from './trail-store.js';

/** Finds mail servers that reported trails before, and none of the messages that this process counted since. */
@needs(TrailStore, CountedHosts)
export class UnreportedHosts {
  constructor(
    private readonly store: Pick<TrailStore, 'lastReports'>,
    private readonly counted: CountedHosts,
  ) {}

  /** @returns by host, when the first message was counted that it has not reported */
  async find(): Promise<Map<string, Date>> {
    const counted = new Map(this.counted.all());
    const reports = await this.store.lastReports([...counted.keys()]);
    const unreported = new Map<string, Date>();
    for (const [host, first] of counted) {
      const reported = reports.get(host);
      // Of a host that never reported, trails are not expected.
      if (reported === undefined) continue;
      if (reported >= first) this.counted.forget(host);
      else unreported.set(host, first);
    }
    return unreported;
  }
}
