import { randomUUID } from 'node:crypto';
import { aboutDomain } from '../../audit/about-domain.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, utcDay } from '../../clock.js';
import { deadline } from '../../deadlines.js';
import type { Domain } from '../../domains/domain.js';
import { DomainRepository } from '../../domains/domain-repository.js';
import type { JobCounts } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { systemActor } from '../../operators/actor.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { withTimeout } from '../../with-timeout.js';
import { DnsExpectations, type ExpectedHosts, expectedHosts } from '../dns-expectations.js';
import { DnsResolver } from '../dns-resolver.js';
import { FrontHostsRepository } from '../front-hosts.js';
import type { DnsLack } from './dns-lacks.js';
import { DnsLooks, type DueLook, type Look } from './dns-looks.js';
import { CONFIRM_AFTER_MS, isAdded, judgeLook, type Seen } from './judge-look.js';
import { PlanLooks } from './plan-looks.js';
import { platformProblem } from './platform-records.js';
import { type NeededRecords, neededRecords, needsMx, seeRecords, unknown } from './see-records.js';

const ACTOR = systemActor('dns');
const AT_ONCE = 20;
/** After so many domains a round asks for the records of the platform anew. */
const DOMAINS_PER_ROUND = 1_000;
/** A domain whose look was interrupted is due again after it. A look and its storing are shorter. */
const LEASE_MS = 5 * MINUTE_MS;
const ROUND_LEASE_MS = 2 * MINUTE_MS;
const BUSY_RETRY_MS = 30 * SECOND_MS;
const PLATFORM_RETRY_MS = 10 * MINUTE_MS;
const UNKNOWN_RETRY_MS = HOUR_MS;
/** So many domains may begin to lack something in a day, or this part of all, whichever is more. */
const MOST_NEW = 50;
const MOST_NEW_PART = 0.02;
/** Spreads the daily looks of neighbouring ids over the day. */
const SPREAD_MS = 7_919_993;

type Outcome = 'looked' | 'missing' | 'complete' | 'held' | 'unknown';

/**
 * Looks at the MX and SPF records of the domains that are due, once a day each. What a domain lacks is stored with an
 * event when two looks have found it; too many new lacks in a day are held, because they are rather a fault of the
 * service or of its name servers.
 */
@needs(
  UnitOfWork,
  DomainRepository,
  DnsLooks,
  FrontHostsRepository,
  PlanLooks,
  DnsResolver,
  DnsExpectations,
  AuditLog,
  Clock,
)
export class LookAtDomains {
  private readonly expected: ExpectedHosts;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly looks: DnsLooks,
    private readonly frontHosts: FrontHostsRepository,
    private readonly plans: PlanLooks,
    private readonly dns: DnsResolver,
    expectations: DnsExpectations,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    this.expected = expectedHosts(expectations);
  }

  /** One round: what is due, but not more than `DOMAINS_PER_ROUND`. The next one is enqueued. */
  async execute(): Promise<JobCounts> {
    const round = randomUUID();
    if (!(await this.hold(round))) {
      await this.plans.enqueue(this.after(BUSY_RETRY_MS));
      return {};
    }
    const problem = await platformProblem(this.dns, this.expected);
    const counts: JobCounts = {};
    if (problem === null) await this.lookAtDue(round, counts);
    await this.looks.endRound(round, problem);
    await this.plans.enqueueNext(this.after(problem === null ? MINUTE_MS : PLATFORM_RETRY_MS));
    return problem === null ? counts : { failed: 1 };
  }

  private async lookAtDue(round: string, counts: JobCounts): Promise<void> {
    const most = Math.max(MOST_NEW, Math.floor((await this.looks.domainCount()) * MOST_NEW_PART));
    let after = 0;
    for (let looked = 0; looked < DOMAINS_PER_ROUND; ) {
      const due = await this.looks.due(after, this.clock.now(), AT_ONCE);
      if (due.length === 0 && after === 0) return;
      after = due.at(-1)?.partnerId ?? 0;
      const outcomes = await Promise.all(due.map((each) => this.lookAt(each, most)));
      for (const outcome of outcomes) if (outcome !== null) counts[outcome] = (counts[outcome] ?? 0) + 1;
      looked += due.length;
      if (!(await this.hold(round))) return;
    }
  }

  private async lookAt(due: DueLook, most: number): Promise<Outcome | null> {
    const leasedUntil = this.after(LEASE_MS);
    if (!(await this.looks.claim(due, leasedUntil))) return null;
    const needed = await this.needed(due);
    const seen = await this.see(due, needed);
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(due.domainId);
      const look = await this.looks.lock(due.domainId);
      if (domain === null || look === null) return null;
      // The domain may have been closed, or emptied, meanwhile.
      const stillSeen = { ...seen, mx: needsMx(domain) ? seen.mx : null };
      const judged = await this.judge(look, stillSeen, most);
      // Another time than the lease was written: somebody made the domain due.
      const isPlanned = look.dueAt < leasedUntil;
      const isNeeded = needed.mx || needed.spf || isPlanned;
      const dueAt = isPlanned ? look.dueAt : nextLook(judged, stillSeen, this.clock.now());
      if (isNeeded) await this.looks.save({ ...judged, dueAt });
      else await this.looks.forget(domain.id);
      if (judged.lacks.join() !== look.lacks.join()) return this.publish(domain, judged.lacks);
      return judged.hold === 'held' ? 'held' : isUnknown(seen) ? 'unknown' : 'looked';
    });
  }

  private async needed({ name }: DueLook): Promise<NeededRecords> {
    const { mxHosts, spfInclude } = this.expected;
    const found = await this.domains.findWithParent('all', name);
    if (found === null) return { mx: false, spf: false };
    const { mx, spf } = neededRecords(found, this.clock.now());
    return { mx: mx && mxHosts.length > 0, spf: spf && spfInclude !== null };
  }

  private async see({ domainId, name }: DueLook, needed: NeededRecords): Promise<Seen> {
    const said = needed.mx ? await this.frontHosts.find(domainId) : null;
    const seen = seeRecords(this.dns, name, needed, this.expected, said?.hosts ?? []);
    // Its name servers may be slow on purpose.
    return withTimeout(seen, deadline('dnsLook'), () => unknown(needed));
  }

  private async judge(look: Look, seen: Seen, most: number): Promise<Look> {
    const now = this.clock.now();
    const judged = judgeLook(look, seen, now, { mayAdd: true });
    if (!isAdded(look, judged) || (await this.mayCount(look, now, most))) {
      return { ...look, ...judged, hold: judged.suspected.length === 0 ? null : look.hold };
    }
    return { ...look, ...judgeLook(look, seen, now, { mayAdd: false }), hold: 'held' };
  }

  private async mayCount({ hold }: Look, now: Date, most: number): Promise<boolean> {
    return hold === null ? this.looks.admit(utcDay(now), most) : hold === 'released';
  }

  private async publish(domain: Domain, missing: DnsLack[]): Promise<Outcome> {
    const outcome = missing.length === 0 ? 'complete' : 'missing';
    await this.audit.append(
      ACTOR,
      this.clock.now(),
      aboutDomain(domain, `domain.dns_${outcome}`, { after: { missing } }),
    );
    return outcome;
  }

  private hold(round: string): Promise<boolean> {
    return this.looks.holdRound(round, this.clock.now(), this.after(ROUND_LEASE_MS));
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

/** When a domain is looked at after a look. */
function nextLook({ domainId, suspectedAt, hold }: Look, seen: Seen, now: Date): Date {
  if (isUnknown(seen)) return new Date(now.getTime() + UNKNOWN_RETRY_MS);
  if (suspectedAt !== null && hold !== 'held') return new Date(suspectedAt.getTime() + CONFIRM_AFTER_MS);
  return dailyLook(domainId, now);
}

function isUnknown({ mx, spf }: Seen): boolean {
  return mx === 'unknown' || spf === 'unknown';
}

/** The next time of day of a domain, at the earliest in half a day. */
function dailyLook(domainId: number, now: Date): Date {
  const timeOfDay = (domainId * SPREAD_MS) % DAY_MS;
  const earliest = now.getTime() + DAY_MS / 2;
  const wait = (timeOfDay - (earliest % DAY_MS) + DAY_MS) % DAY_MS;
  return new Date(earliest + wait);
}
