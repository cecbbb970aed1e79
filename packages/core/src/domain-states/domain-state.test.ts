import { ATTENTION_REASONS } from '../attention/attention.js';
import { FLOWS, type Flow } from '../domains/flow.js';
import { OUTBOUND_REASONS } from '../outbound/decide-outbound.js';
import { INCOMING_REASONS, type Incoming } from '../outbound/incoming.js';
import { DNS_LACKS } from '../relay/looks/dns-lacks.js';
import { decideState, STATE_REASONS, type StateFacts, type StateReason } from './domain-state.js';

const PASSES: Incoming = { action: 'accept', reason: null };
const PENDING: Incoming = { action: 'none', reason: 'inbound_pending' };
const SUSPENDED: Incoming = { action: 'defer', reason: 'domain_suspended' };
const CAPPED: Incoming = { action: 'defer', reason: 'transfer_limit' };

const stopped = (action: 'defer' | 'reject', reason: StateFacts['verdict']['reason']) => ({
  verdict: { action, reason },
});
const monitored = (reason: StateFacts['verdict']['reason']) => ({ verdict: { action: 'accept' as const, reason } });

/** Of each state that a domain can have: its facts, what it sends and receives, and the reason that is shown. */
const STATES: Record<string, [Partial<StateFacts>, Flow, Flow, StateReason | null]> = {
  'as it should be': [{}, 'yes', 'yes', null],
  'suspended, whatever the cause': [
    { ...stopped('defer', 'domain_suspended'), incoming: SUSPENDED, attention: ['suspended'] },
    'off',
    'off',
    'domain_suspended',
  ],
  'partner suspended for changes': [
    { ...stopped('defer', 'domain_suspended'), attention: ['partner_suspended'] },
    'off',
    'yes',
    'domain_suspended',
  ],
  'suspended for so long that mail waits': [
    { ...stopped('defer', 'domain_suspended'), incoming: SUSPENDED, attention: ['suspended', 'mail_waiting'] },
    'off',
    'off',
    'domain_suspended',
  ],
  'blocked by bounces, complaints or the operator': [
    { ...stopped('reject', 'outbound_blocked'), attention: ['blocked'] },
    'no',
    'yes',
    'outbound_blocked',
  ],
  'not verified yet': [
    { ...stopped('reject', 'not_verified'), incoming: PENDING, isAwaited: true },
    'pending',
    'pending',
    'not_verified',
  ],
  'not verified for a day': [
    { ...stopped('reject', 'not_verified'), incoming: PENDING, isAwaited: true, attention: ['unverified'] },
    'pending',
    'pending',
    'not_verified',
  ],
  'not verified in time': [
    { ...stopped('reject', 'not_verified'), incoming: PENDING, attention: ['unverified'] },
    'no',
    'no',
    'not_verified',
  ],
  'verification lost less than 72 h ago': [stopped('defer', 'not_verified'), 'waits', 'yes', 'not_verified'],
  'verification lost before': [stopped('reject', 'not_verified'), 'no', 'yes', 'not_verified'],
  'verification at risk': [{ attention: ['dns_at_risk'] }, 'at_risk', 'yes', 'dns_at_risk'],
  'without MX': [{ attention: ['dns_missing'], lacks: ['mx'] }, 'yes', 'no', 'dns_missing'],
  'with the MX of somebody else': [
    { attention: ['dns_missing'], lacks: ['mx_elsewhere'] },
    'yes',
    'at_risk',
    'dns_missing',
  ],
  'without SPF': [{ attention: ['dns_missing'], lacks: ['spf'] }, 'at_risk', 'yes', 'dns_missing'],
  'with MX of a mailbox provider': [
    { attention: ['dns_missing'], lacks: ['mx_mailboxes'] },
    'yes',
    'no',
    'dns_missing',
  ],
  'without MX and SPF': [{ attention: ['dns_missing'], lacks: ['mx', 'spf'] }, 'at_risk', 'no', 'dns_missing'],
  'without SPF, and suspended': [
    { ...stopped('defer', 'domain_suspended'), attention: ['suspended', 'dns_missing'], lacks: ['spf'] },
    'off',
    'yes',
    'domain_suspended',
  ],
  'without MX, and at a limit': [
    { ...stopped('defer', 'daily_limit'), attention: ['dns_missing', 'daily_limit'], lacks: ['mx'] },
    'waits',
    'no',
    'dns_missing',
  ],
  'verified, and not open for mail': [{ incoming: PENDING }, 'yes', 'no', 'inbound_pending'],
  'near a limit': [{ attention: ['daily_limit', 'monthly_limit'] }, 'at_risk', 'yes', 'daily_limit'],
  'at a limit, of the operator or of its partner': [
    { ...stopped('defer', 'daily_limit'), attention: ['daily_limit'] },
    'waits',
    'yes',
    'daily_limit',
  ],
  'at a limit that is monitored': [
    { ...monitored('daily_limit'), attention: ['daily_limit'] },
    'monitored',
    'yes',
    'daily_limit',
  ],
  'at the transfer cap': [
    { ...stopped('defer', 'transfer_limit'), attention: ['transfer_limit'] },
    'waits',
    'yes',
    'transfer_limit',
  ],
  'at the transfer cap, which counts for incoming mail too': [
    { ...stopped('defer', 'transfer_limit'), incoming: CAPPED },
    'waits',
    'waits',
    'transfer_limit',
  ],
  'paused at the relay': [stopped('defer', 'relay_paused'), 'waits', 'yes', 'relay_paused'],
  'many dead addresses': [{ attention: ['suppressions_high'] }, 'at_risk', 'yes', 'suppressions_high'],
  'of a restored database': [stopped('defer', 'restore_not_accepted'), 'waits', 'yes', 'restore_not_accepted'],
  'with a counter that is full': [stopped('reject', 'counter_overflow'), 'no', 'yes', 'counter_overflow'],
  'near a limit, and not open for mail': [
    { attention: ['daily_limit'], incoming: PENDING },
    'at_risk',
    'no',
    'inbound_pending',
  ],
  'suspended, and not open for mail': [
    { ...stopped('defer', 'domain_suspended'), incoming: PENDING },
    'off',
    'no',
    'inbound_pending',
  ],
};

const decide = (facts: Partial<StateFacts>) =>
  decideState({
    verdict: { action: 'accept', reason: null },
    incoming: PASSES,
    attention: [],
    lacks: [],
    isAwaited: false,
    ...facts,
  });

describe('the state of a domain', () => {
  it.each(Object.entries(STATES))('%s', (_, [facts, sends, receives, reason]) => {
    expect(decide(facts)).toEqual({ sends, receives, reason });
  });

  it('is green only when nothing holds: every reason of a domain, of incoming mail and for attention shows', () => {
    const isGreen = (facts: Partial<StateFacts>) => decide(facts).reason === null;
    const green = [
      ...OUTBOUND_REASONS.filter((reason) => isGreen(stopped('reject', reason))),
      ...INCOMING_REASONS.filter((reason) => isGreen({ incoming: { action: 'defer', reason } })),
      ...ATTENTION_REASONS.filter((reason) => isGreen({ attention: [reason], lacks: DNS_LACKS })),
    ];
    // Those of one message, and those that the verdict has already.
    expect(green).toEqual([
      'sender_not_allowed',
      'session_ended',
      'recipient_suppressed',
      'mailbox_limit',
      'suspended',
      'partner_suspended',
      'mail_waiting',
      'blocked',
      'unverified',
    ]);
  });

  it('has a reason that the list of reasons names, and each of them occurs', () => {
    const reasons = new Set(
      [
        ...Object.values(STATES).map(([facts]) => facts),
        { attention: ['monthly_limit' as const] },
        stopped('defer', 'monthly_limit'),
        stopped('reject', 'message_exceeds_limit'),
      ].flatMap((facts) => decide(facts).reason ?? []),
    );
    expect([...reasons].toSorted()).toEqual([...STATE_REASONS].toSorted());
  });

  it('of two reasons the worse one is named, and the better one never hides it', () => {
    const rank = (flow: Flow) => FLOWS.indexOf(flow);
    for (const [first] of Object.values(STATES)) {
      for (const [second] of Object.values(STATES)) {
        if (first.isAwaited !== second.isAwaited) continue;
        const both = decide({
          ...first,
          ...second,
          attention: [...(first.attention ?? []), ...(second.attention ?? [])],
        });
        const { sends, receives } = decide(second);
        expect(rank(both.sends)).toBeGreaterThanOrEqual(rank(sends));
        expect(rank(both.receives)).toBeGreaterThanOrEqual(rank(receives));
      }
    }
  });
});
