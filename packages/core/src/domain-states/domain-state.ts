import type { AttentionReason } from '../attention/attention.js';
import { FLOWS, type Flow } from '../domains/flow.js';
import type { OutboundReason, Verdict } from '../outbound/decide-outbound.js';
import type { INCOMING_REASONS, Incoming } from '../outbound/incoming.js';
import type { DnsLack } from '../relay/looks/dns-lacks.js';

type VerdictReason = OutboundReason | 'restore_not_accepted' | 'counter_overflow';
type IncomingReason = (typeof INCOMING_REASONS)[number];

export type StateReason = VerdictReason | IncomingReason | AttentionReason;

/** What a domain does with mail now, in one look. */
export interface DomainState {
  /** Mail to outside recipients, of any sender of the domain. */
  sends: Flow;
  /** Mail of others to the domain. */
  receives: Flow;
  /** The worst of what holds; null when both are `yes`. */
  reason: StateReason | null;
  /** When the state changes by itself, if nobody acts and nothing is sent until then; null: never. */
  until: Date | null;
}

/** The worse of both directions. */
export function overallFlow({ sends, receives }: Pick<DomainState, 'sends' | 'receives'>): Flow {
  return worst([sends, receives]);
}

/** What one direction, or both, owe to a reason. */
interface Effect {
  sends: Flow;
  receives: Flow;
  reason: StateReason;
}

/** How a reason of a verdict stops what the domain sends. */
const SENDS: Record<VerdictReason, Flow | ((facts: StateFacts) => Flow)> = {
  restore_not_accepted: 'waits',
  counter_overflow: 'no',
  domain_suspended: 'off',
  outbound_blocked: 'no',
  relay_paused: 'waits',
  not_verified: ({ verdict, isAwaited }) => (verdict.action === 'defer' ? 'waits' : isAwaited ? 'pending' : 'no'),
  message_exceeds_limit: 'no',
  daily_limit: 'waits',
  monthly_limit: 'waits',
  transfer_limit: 'waits',
  // Of a message, its login or its recipient: no reason for every message of the domain.
  sender_not_allowed: 'yes',
  session_ended: 'yes',
  recipient_suppressed: 'yes',
  mailbox_limit: 'yes',
};

/** How a reason stops mail to the domain. */
const RECEIVES: Record<IncomingReason, Flow | ((facts: StateFacts) => Flow)> = {
  inbound_pending: ({ isAwaited }) => (isAwaited ? 'pending' : 'no'),
  domain_suspended: 'off',
  transfer_limit: 'waits',
};

type Effects = Pick<Effect, 'sends' | 'receives'>;

/** What a reason for attention says of mail that passes. `yes`: the verdict already has what stops. */
const ATTENTION: Record<AttentionReason, Effects | ((facts: StateFacts) => Effects)> = {
  suspended: { sends: 'yes', receives: 'yes' },
  partner_suspended: { sends: 'yes', receives: 'yes' },
  mail_waiting: { sends: 'yes', receives: 'yes' },
  blocked: { sends: 'yes', receives: 'yes' },
  dns_at_risk: { sends: 'at_risk', receives: 'yes' },
  dns_missing: ({ lacks }) => ({
    // Receivers may take mail without SPF, so it is never said that none leaves.
    sends: lacks.includes('spf') ? 'at_risk' : 'yes',
    receives: receivesWith(lacks),
  }),
  unverified: { sends: 'yes', receives: 'yes' },
  daily_limit: { sends: 'at_risk', receives: 'yes' },
  monthly_limit: { sends: 'at_risk', receives: 'yes' },
  transfer_limit: { sends: 'at_risk', receives: 'yes' },
  suppressions_high: { sends: 'at_risk', receives: 'yes' },
};

/** The reasons that a state may have: those of the tables that change anything. */
export const STATE_REASONS: readonly StateReason[] = [
  ...new Set([
    ...keysOf(SENDS).filter((reason) => SENDS[reason] !== 'yes'),
    ...keysOf(RECEIVES),
    ...keysOf(ATTENTION).filter((reason) => changesAnything(ATTENTION[reason])),
  ]),
];

export interface StateFacts {
  /** Of a message to one outside recipient. */
  verdict: Pick<Verdict, 'action'> & { reason: VerdictReason | null };
  incoming: Incoming;
  /** The limits among them: of the present counts. */
  attention: readonly AttentionReason[];
  /** What the domain lacks in the DNS. */
  lacks: readonly DnsLack[];
  /** The domain was never verified, and its DNS records are still looked for. */
  isAwaited: boolean;
}

/** Decides the state of a domain: in each direction the worst that holds, and the reason of the worst of both. */
export function decideState(facts: StateFacts): Omit<DomainState, 'until'> {
  const effects = [...ofVerdict(facts), ...ofIncoming(facts), ...ofAttention(facts)];
  const sends = worst(effects.map((effect) => effect.sends));
  const receives = worst(effects.map((effect) => effect.receives));
  const both = overallFlow({ sends, receives });
  const decisive = effects.find((effect) => effect.sends === both || effect.receives === both);
  return { sends, receives, reason: both === 'yes' ? null : (decisive?.reason ?? null) };
}

function ofVerdict(facts: StateFacts): Effect[] {
  const { action, reason } = facts.verdict;
  if (reason === null) return [];
  return [{ sends: action === 'accept' ? 'monitored' : flowOf(SENDS[reason], facts), receives: 'yes', reason }];
}

function ofIncoming(facts: StateFacts): Effect[] {
  const { reason } = facts.incoming;
  return reason === null ? [] : [{ sends: 'yes', receives: flowOf(RECEIVES[reason], facts), reason }];
}

function ofAttention(facts: StateFacts): Effect[] {
  return facts.attention.map((reason) => {
    const effects = ATTENTION[reason];
    return { ...(typeof effects === 'function' ? effects(facts) : effects), reason };
  });
}

function changesAnything(effects: Effects | ((facts: StateFacts) => Effects)): boolean {
  return typeof effects === 'function' || effects.sends !== 'yes';
}

/** A mailbox provider keeps what arrives there; hosts that nobody knows may pass it on. */
function receivesWith(lacks: readonly DnsLack[]): Flow {
  if (lacks.includes('mx') || lacks.includes('mx_mailboxes')) return 'no';
  return lacks.includes('mx_elsewhere') ? 'at_risk' : 'yes';
}

function flowOf(flow: Flow | ((facts: StateFacts) => Flow), facts: StateFacts): Flow {
  return typeof flow === 'string' ? flow : flow(facts);
}

function keysOf<Key extends string>(table: Record<Key, unknown>): Key[] {
  return Object.keys(table) as Key[];
}

function worst(flows: readonly Flow[]): Flow {
  return FLOWS[Math.max(0, ...flows.map((flow) => FLOWS.indexOf(flow)))] ?? 'yes';
}
