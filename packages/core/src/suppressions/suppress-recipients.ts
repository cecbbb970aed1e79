import { DatabaseClock } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { needs } from '../needs.js';
import { SUPPRESSED_MS, SuppressionOptions } from './suppression.js';
import { domainOfSuppressed, parseSuppressedAddress } from './suppression-address.js';
import { type EventSuppression, Suppressions } from './suppressions.js';

/** A recipient that an event of the relay suppresses for the domain that sent. */
export interface FoundRecipient {
  domain: Domain;
  recipient: string;
  /** The recipient as the provider wrote it. */
  spelling: string | null;
  reason: 'bounce' | 'complaint';
  /** When it bounced or complained. */
  at: Date;
}

/** Suppresses recipients because of what the relay reported, never one on the platform. */
@needs(Suppressions, DatabaseClock, SuppressionOptions)
export class SuppressRecipients {
  constructor(
    private readonly suppressions: Suppressions,
    private readonly clock: DatabaseClock,
    private readonly options: SuppressionOptions,
  ) {}

  /** Runs in the caller's unit of work, which has locked the partners of the domains, and the domains. */
  async execute(found: readonly FoundRecipient[]): Promise<void> {
    const rows = found.flatMap((each) => rowOf(each) ?? []);
    if (rows.length === 0) return;
    const inside = await this.suppressions.openDomains(rows.map(({ address }) => domainOfSuppressed(address)));
    const byPartner = new Map<number, EventSuppression[]>();
    for (const row of rows) {
      if (inside.has(domainOfSuppressed(row.address))) continue;
      const own = byPartner.get(row.partnerId);
      if (own === undefined) byPartner.set(row.partnerId, [row]);
      else own.push(row);
    }
    const bounds = { now: await this.clock.time(), most: this.options.maxPerPartner };
    for (const [partnerId, own] of byPartner) await this.suppressions.addFromEvents(partnerId, own, bounds);
  }
}

function rowOf({ domain, recipient, spelling, reason, at }: FoundRecipient): EventSuppression | null {
  const address = parseSuppressedAddress(recipient);
  if (address === null) return null;
  const expiresAt = new Date(at.getTime() + SUPPRESSED_MS[reason]);
  return { partnerId: domain.partnerId, domainId: domain.id, address, spelling, reason, since: at, expiresAt };
}
