import { DAY_MS, HOUR_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import { RecordTrail } from '../trail/record-trail.js';
import { keptDays } from '../trail/trail-options.js';
import type { TrailRow } from '../trail/trail-row.js';
import { rowKeyOf, type TrailStep, trailTag } from '../trail/trail-step.js';
import type { ListedTrail, TrailFilter, TrailStore } from '../trail/trail-store.js';
import { FixedClock } from './fixed-clock.js';
import { type OutboundPorts, OutboundWorld } from './outbound-world.js';

export interface TrailPorts extends OutboundPorts {
  trail: TrailStore;
}

export const TRAIL_OPTIONS = { trailDays: 5, rowsPerSecond: null };

/** Two processes that report trails, and three domains: two of one partner and one of another. */
export class TrailWorld {
  readonly now = new FixedClock().now();
  private queue = 0;

  private constructor(
    readonly ports: TrailPorts,
    readonly world: OutboundWorld,
    readonly record: RecordTrail,
    readonly otherRecord: RecordTrail,
    readonly domains: { acme: Domain; sister: Domain; beta: Domain },
  ) {}

  static async create({ one: ports, other }: { one: TrailPorts; other: TrailPorts }): Promise<TrailWorld> {
    const clock = new FixedClock();
    const recordOf = ({ unitOfWork, trail }: TrailPorts) => new RecordTrail(unitOfWork, trail, clock, TRAIL_OPTIONS);
    const world = new OutboundWorld(ports);
    const acme = await world.domain();
    const sister = await world.domain();
    const partner = await ports.unitOfWork.run(() => ports.partners.lockOrCreate('beta' as PartnerRef));
    const beta = await world.domain({ partnerId: partner.id, partnerRef: partner.ref });
    return new TrailWorld(ports, world, recordOf(ports), recordOf(other), { acme, sister, beta });
  }

  ago(ms: number): Date {
    return new Date(this.now.getTime() - ms);
  }

  /** How many messages there are so far. */
  get queued(): number {
    return this.queue;
  }

  newQueueId(): string {
    this.queue += 1;
    return `Q${this.queue}`;
  }

  step(fields: Partial<TrailStep> = {}): TrailStep {
    return {
      host: 'mx1.example',
      queueId: 'Q0',
      at: this.ago(HOUR_MS),
      step: 'accepted',
      direction: 'out',
      domain: this.domains.acme.name,
      sender: `alice@${this.domains.acme.name}`,
      recipient: 'jane@elsewhere.example',
      size: null,
      messageId: null,
      reason: null,
      detail: null,
      ...fields,
    };
  }

  /** Reads the whole list, some rows at a time. */
  async listed(fields: Partial<TrailFilter>, scope: PartnerScope = 'all', limit = 2): Promise<ListedTrail[]> {
    const filter = { since: this.ago(5 * DAY_MS), until: new Date(this.now.getTime() + 1), ...fields };
    const rows: ListedTrail[] = [];
    for (let before: string | null = null; ; ) {
      const found = await this.ports.trail.search(scope, filter, before, limit);
      rows.push(...found.rows);
      if (found.next === null) return rows;
      before = found.next;
    }
  }

  async rowOf(fields: Partial<TrailStep>): Promise<TrailRow | null> {
    const { host, queueId, recipient, direction } = this.step(fields);
    const key = rowKeyOf(trailTag(host, queueId ?? ''), recipient, direction);
    const { unitOfWork, trail } = this.ports;
    const [row] = await unitOfWork.run(() => trail.lockRows(new Map([[key, 0]]), keptDays(TRAIL_OPTIONS, this.now)));
    return row ?? null;
  }
}
