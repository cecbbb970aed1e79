import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { zonelessTime } from '../clock.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import type { Actor } from '../operators/actor.js';
import type { Domain } from './domain.js';
import type { NotifiedLowering } from './retention.js';

/** Writes the audit row of a lowered retention, or of the reminder of one, and notifies the operators. */
@needs(Notifier, AuditLog)
export class AnnounceLowering {
  constructor(
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
  ) {}

  /** @param reminder whether the lowering was announced before */
  async execute(
    actor: Actor,
    domain: Domain,
    { retentionDays, retentionDaysBefore, effectiveAt }: NotifiedLowering,
    now: Date,
    reminder = false,
  ): Promise<void> {
    const lowering = { retention_days: retentionDays, effective_at: zonelessTime(effectiveAt), reminder };
    const before = { retention_days: retentionDaysBefore };
    await this.audit.append(actor, now, aboutDomain(domain, 'domain.retention_lowered', { before, after: lowering }));
    await this.notifier.notify('domain.retention_lowered', domain, now, {
      ...lowering,
      retention_days_before: retentionDaysBefore,
    });
  }
}
