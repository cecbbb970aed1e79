import { hashKey, type QueryClient } from '@tanstack/react-query';
import { type Key, keys } from './keys.js';
import type { Event } from './shapes.js';

/** Many events at once, as of a bulk, make one reading of each list. */
const COLLECT_MS = 300;

/** What counts domains, mailboxes and aliases. */
const COUNTS = [keys.domains, keys.me, keys.partners];

/** What an event of each type makes old, besides the lists of events and all that is below the key of its domain. */
const STALE: Record<Event['type'], readonly Key[]> = {
  'domain.created': COUNTS,
  // Also after its erasure, and after a correction of its counts.
  'domain.updated': [...COUNTS, keys.deleted],
  'domain.deleted': [...COUNTS, keys.deleted, keys.links],
  'domain.restored': [...COUNTS, keys.deleted],
  'domain.moved': [...COUNTS, keys.deleted],
  'domain.suspended': [keys.domains],
  'domain.activated': [keys.domains],
  'domain.verified': [keys.domains],
  'domain.verification_failed': [keys.domains],
  'domain.verification_lost': [keys.domains],
  'domain.verification_at_risk': [keys.domains],
  'domain.dns_missing': [keys.domains],
  'domain.dns_complete': [keys.domains],
  'domain.outbound_blocked': [keys.domains],
  'domain.outbound_unblocked': [keys.domains],
  'domain.limit_reached': [keys.domains],
  'domain.mail_waiting': [keys.domains],
  'domain.suppressions_high': [keys.domains, keys.suppressions],
  'domain.retention_lowered': [keys.domains],
  'domain.expiring': [keys.domains],
  'domain.expired': [...COUNTS, keys.deleted, keys.links],
  'mailbox.created': COUNTS,
  // Also after its erasure.
  'mailbox.updated': [keys.deleted],
  'mailbox.deleted': [...COUNTS, keys.deleted],
  'mailbox.restored': [...COUNTS, keys.deleted],
  'alias.created': COUNTS,
  'alias.updated': [],
  'alias.deleted': COUNTS,
  'key.created': [keys.apiKeys, keys.partners, keys.me, keys.everyFirstSteps],
  'key.updated': [keys.session, keys.apiKeys, keys.partners, keys.me],
  'key.deleted': [keys.apiKeys, keys.partners, keys.me, keys.links],
  'key.rotated': [keys.apiKeys, keys.partners],
  'link.created': [keys.links],
  'link.deleted': [keys.links],
  'partner.updated': [keys.partners, keys.me, keys.brands, keys.suppressions],
  'partner.suspended': [keys.session, keys.partners, keys.me, keys.domains, keys.everyDomain],
  'partner.activated': [keys.session, keys.partners, keys.me, keys.domains, keys.everyDomain],
  'partner.relay_paused': [keys.partners, keys.domains, keys.everyDomain],
  'partner.relay_resumed': [keys.partners, keys.domains, keys.everyDomain],
  'message.bounced': [keys.allOutboundDays, keys.messages],
  'message.complained': [keys.allOutboundDays, keys.messages],
  'job.missed': [keys.jobs, keys.health],
  'webhook.created': [keys.webhooks],
  'webhook.updated': [keys.webhooks],
  'webhook.deleted': [keys.webhooks],
  'webhook.disabled': [keys.webhooks],
  'suppression.created': [keys.suppressions],
  'suppression.deleted': [keys.suppressions],
};

/** What an event makes old, with all that is below it. */
export function staleAfter({ type, domain }: Pick<Event, 'type' | 'domain'>): readonly Key[] {
  // A newer service may have a type that this page does not know.
  const ofType = (STALE as Partial<typeof STALE>)[type] ?? [];
  return [keys.events, ...(domain === null ? [] : [keys.domain(domain)]), ...ofType];
}

/** Collects what became old and has it read again. Queries that no screen shows are read when one does. */
export class StaleParts {
  private readonly keys = new Map<string, Key>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queryClient: QueryClient) {}

  add(event: Event): void {
    for (const key of staleAfter(event)) this.keys.set(hashKey(key), key);
    this.timer ??= setTimeout(() => this.refresh(), COLLECT_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** More happened than is known. */
  everything(): void {
    this.stop();
    this.timer = undefined;
    this.keys.clear();
    void this.queryClient.invalidateQueries();
  }

  private refresh(): void {
    this.timer = undefined;
    for (const queryKey of this.keys.values()) void this.queryClient.invalidateQueries({ queryKey });
    this.keys.clear();
  }
}
