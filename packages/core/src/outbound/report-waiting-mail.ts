import { AttentionList } from '../attention/attention-list.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, DAY_MS, zonelessTime } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { MailStopsReader } from './mail-stops.js';

const ACTOR = systemActor('mail-queue');

/** How long accepted mail of a suspended domain waits before its event. */
const MAIL_WAITING_DAYS = 4;

/** What a mail server has in its queue because of the suspension of a domain. */
export interface WaitingMail {
  domain: DomainName;
  messages: number;
  /** How long the oldest message has been in the queue. */
  waitingSeconds: number;
}

/**
 * Writes the event of mail that has waited for `MAIL_WAITING_DAYS`, once for each suspension, and marks its domain. A
 * repeated report changes nothing.
 */
@needs(UnitOfWork, MailStopsReader, AttentionList, DomainRepository, AuditLog, Clock)
export class ReportWaitingMail {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly stops: MailStopsReader,
    private readonly attention: AttentionList,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @returns for each item, in order, whether its domain is marked now */
  async execute(items: readonly WaitingMail[]): Promise<boolean[]> {
    const now = this.clock.now();
    const due = items.filter(({ waitingSeconds }) => waitingSeconds * 1_000 >= MAIL_WAITING_DAYS * DAY_MS);
    const stops = await this.stops.ofDomains(due.map(({ domain }) => domain));
    const marked = new Set(
      await this.alreadyMarked(
        [...stops.values()].map(({ domainId }) => domainId),
        now,
      ),
    );
    for (const item of due) {
      const stop = stops.get(item.domain);
      if (stop === undefined || marked.has(stop.domainId) || !(stop.sendingWaits || stop.receivingWaits)) continue;
      marked.add(stop.domainId);
      await this.announce(stop.domainId, item, now);
    }
    return items.map(({ domain }) => marked.has(stops.get(domain)?.domainId ?? 0));
  }

  private async alreadyMarked(domainIds: readonly number[], now: Date): Promise<number[]> {
    const reasons = await this.attention.ofDomains(domainIds, now);
    return domainIds.filter((id) => reasons.get(id)?.includes('mail_waiting') === true);
  }

  private announce(domainId: number, { messages, waitingSeconds }: WaitingMail, now: Date): Promise<void> {
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(domainId);
      // Another mail server may have reported the domain meanwhile.
      if (domain === null || !(await this.attention.addWaiting(domainId))) return;
      const since = zonelessTime(new Date(now.getTime() - waitingSeconds * 1_000));
      const after = { since, messages };
      await this.audit.append(ACTOR, now, aboutDomain(domain, 'domain.mail_waiting', { after }));
    });
  }
}
