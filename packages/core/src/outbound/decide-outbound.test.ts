import fc from '../../../../scripts/fast-check.mjs';
import type { DomainName } from '../domains/domain-name.js';
import {
  decideInside,
  decideOutbound,
  OUTBOUND_REASONS,
  type OutboundAccount,
  type OutboundFacts,
} from './decide-outbound.js';

function account(fields: Partial<OutboundAccount> = {}): OutboundAccount {
  return {
    name: 'example.com' as DomainName,
    suspended: false,
    blocked: false,
    enforcement: 'enforce',
    limits: { dailyLimit: 10, monthlyLimit: 100 },
    sentToday: 0,
    sentThisMonth: 0,
    ...fields,
  };
}

function facts(fields: Partial<OutboundFacts> = {}): OutboundFacts {
  return {
    count: 1,
    bytes: 0,
    foreignSender: null,
    sessionEnded: false,
    own: account(),
    parent: null,
    relayPaused: false,
    verified: true,
    lostVerificationLately: false,
    recipientSuppressed: false,
    mailbox: null,
    receiptsToday: null,
    transfer: { cap: 0, used: 0 },
    ...fields,
  };
}

const PARENT = 'parent.example' as DomainName;
const parent = (fields: Partial<OutboundAccount>) => account({ name: PARENT, ...fields });

/** For each reason: facts that cause it, and its action. */
const CASES: Record<(typeof OUTBOUND_REASONS)[number], { action: string; fields: Partial<OutboundFacts> }> = {
  sender_not_allowed: { action: 'reject', fields: { foreignSender: 'boss@other.example' } },
  session_ended: { action: 'defer', fields: { sessionEnded: true } },
  domain_suspended: { action: 'defer', fields: { own: account({ suspended: true }) } },
  outbound_blocked: { action: 'reject', fields: { own: account({ blocked: true }) } },
  relay_paused: { action: 'defer', fields: { relayPaused: true } },
  not_verified: { action: 'reject', fields: { verified: false } },
  recipient_suppressed: { action: 'reject', fields: { recipientSuppressed: true } },
  message_exceeds_limit: { action: 'reject', fields: { count: 11 } },
  mailbox_limit: { action: 'defer', fields: { mailbox: { dailyLimit: 3, sentToday: 3 } } },
  daily_limit: { action: 'defer', fields: { own: account({ sentToday: 10 }) } },
  monthly_limit: { action: 'defer', fields: { own: account({ sentThisMonth: 100 }) } },
  transfer_limit: { action: 'defer', fields: { transfer: { cap: 1000, used: 1000 } } },
};

describe('the outbound verdict', () => {
  it('accepts a message of a verified, active domain below its limits', () => {
    expect(decideOutbound(facts())).toEqual({ allowed: true, action: 'accept', reason: null, limitedBy: null });
  });

  it.each(OUTBOUND_REASONS)('has the reason %s with its action', (reason) => {
    const { action, fields } = CASES[reason];
    expect(decideOutbound(facts(fields))).toEqual({ allowed: false, action, reason, limitedBy: null });
  });

  it('names the first reason of the contract when several apply', () => {
    const everything = facts({
      count: 11,
      foreignSender: 'boss@other.example',
      sessionEnded: true,
      own: account({ suspended: true, blocked: true, sentToday: 10, sentThisMonth: 100 }),
      relayPaused: true,
      verified: false,
      recipientSuppressed: true,
      mailbox: { dailyLimit: 11, sentToday: 11 },
      transfer: { cap: 1, used: 1 },
    });
    const steps: [string, Partial<OutboundFacts>][] = [
      ['sender_not_allowed', {}],
      ['session_ended', { foreignSender: null }],
      ['domain_suspended', { sessionEnded: false }],
      ['outbound_blocked', { own: account({ blocked: true, sentToday: 10, sentThisMonth: 100 }) }],
      ['relay_paused', { own: account({ sentToday: 10, sentThisMonth: 100 }) }],
      ['not_verified', { relayPaused: false }],
      ['recipient_suppressed', { verified: true }],
      ['message_exceeds_limit', { recipientSuppressed: false }],
      ['mailbox_limit', { count: 1 }],
      ['daily_limit', { mailbox: null }],
      ['monthly_limit', { own: account({ sentToday: 9, sentThisMonth: 100 }) }],
      ['transfer_limit', { own: account({ sentToday: 9, sentThisMonth: 99 }) }],
    ];
    let current = everything;
    for (const [reason, change] of steps) {
      current = { ...current, ...change };
      expect(decideOutbound(current).reason).toBe(reason);
    }
    expect(decideOutbound({ ...current, transfer: { cap: 1, used: 0 } }).reason).toBeNull();
  });

  it('defers mail that stays on the platform too, of a session that has ended, and no mail without a login', () => {
    const ended = facts({ sessionEnded: true, own: account({ suspended: true }) });
    expect(decideInside(ended, false)).toMatchObject({ action: 'defer', reason: 'session_ended' });
    expect(decideInside(ended, true)).toMatchObject({ action: 'accept', reason: null });
    expect(decideInside({ ...ended, foreignSender: 'boss@other.example' }, false).reason).toBe('sender_not_allowed');
  });

  it('refuses a suppressed recipient also where limits are only monitored', () => {
    const monitored = facts({ recipientSuppressed: true, own: account({ enforcement: 'monitor', sentToday: 10 }) });
    expect(decideOutbound(monitored)).toMatchObject({
      allowed: false,
      action: 'reject',
      reason: 'recipient_suppressed',
    });
  });

  it('accepts messages up to the limit and none above it', () => {
    expect(decideOutbound(facts({ count: 4, own: account({ sentToday: 6 }) })).allowed).toBe(true);
    expect(decideOutbound(facts({ count: 5, own: account({ sentToday: 6 }) })).reason).toBe('daily_limit');
    expect(decideOutbound(facts({ count: 10 })).allowed).toBe(true);
  });

  it('defers for 72 hours after a verification was lost, and rejects otherwise', () => {
    expect(decideOutbound(facts({ verified: false, lostVerificationLately: true }))).toMatchObject({
      action: 'defer',
      reason: 'not_verified',
    });
  });

  it('rejects a message with more recipients than the daily limit of the mailbox', () => {
    expect(decideOutbound(facts({ count: 4, mailbox: { dailyLimit: 3, sentToday: 0 } }))).toMatchObject({
      action: 'reject',
      reason: 'message_exceeds_limit',
    });
    expect(decideOutbound(facts({ count: 4, mailbox: { dailyLimit: 0, sentToday: 9 } })).allowed).toBe(true);
  });

  it('accepts a message that reaches the transfer cap exactly, defers one above it, and accepts an unknown size below the cap', () => {
    expect(decideOutbound(facts({ bytes: 400, transfer: { cap: 1000, used: 600 } })).allowed).toBe(true);
    expect(decideOutbound(facts({ bytes: 401, transfer: { cap: 1000, used: 600 } })).reason).toBe('transfer_limit');
    expect(decideOutbound(facts({ bytes: 0, transfer: { cap: 1000, used: 999 } })).allowed).toBe(true);
  });

  it('accepts a message of a monitored domain above its limits and names the limit', () => {
    const own = account({ enforcement: 'monitor', sentToday: 10 });
    expect(decideOutbound(facts({ own }))).toEqual({
      allowed: true,
      action: 'accept',
      reason: 'daily_limit',
      limitedBy: null,
    });
    expect(decideOutbound(facts({ own: { ...own, blocked: true } })).allowed).toBe(false);
    expect(decideOutbound(facts({ own, verified: false })).allowed).toBe(false);
  });

  it('applies the limits of the linked parent too, and names the parent', () => {
    expect(decideOutbound(facts({ parent: parent({ sentToday: 10 }) }))).toEqual({
      allowed: false,
      action: 'defer',
      reason: 'daily_limit',
      limitedBy: PARENT,
    });
    expect(decideOutbound(facts({ parent: parent({ blocked: true }) }))).toMatchObject({
      reason: 'outbound_blocked',
      limitedBy: PARENT,
    });
    expect(decideOutbound(facts({ parent: parent({ suspended: true }) }))).toMatchObject({
      reason: 'domain_suspended',
      limitedBy: PARENT,
    });
  });

  it('names an enforced limit rather than an earlier one that is only monitored', () => {
    const watched = parent({ enforcement: 'monitor', limits: { dailyLimit: 1, monthlyLimit: 1 } });
    const full = account({ sentToday: 10 });
    expect(decideOutbound(facts({ count: 2, own: full, parent: watched }))).toMatchObject({
      allowed: false,
      reason: 'daily_limit',
      limitedBy: null,
    });
    expect(decideOutbound(facts({ count: 2, parent: watched }))).toMatchObject({
      allowed: true,
      reason: 'message_exceeds_limit',
      limitedBy: PARENT,
    });
  });

  it('never lets enforced counters exceed a limit, for any messages', () => {
    const limit = fc.integer({ min: 0, max: 50 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 }),
        fc.record({ dailyLimit: limit, monthlyLimit: limit }),
        fc.option(fc.record({ dailyLimit: limit, monthlyLimit: limit })),
        (counts, ownLimits, parentLimits) => {
          let sent = 0;
          for (const count of counts) {
            const state = { sentToday: sent, sentThisMonth: sent };
            const verdict = decideOutbound(
              facts({
                count,
                own: account({ limits: ownLimits, ...state }),
                parent: parentLimits === null ? null : parent({ limits: parentLimits, ...state }),
              }),
            );
            expect(verdict.allowed).toBe(verdict.reason === null);
            if (verdict.allowed) sent += count;
          }
          for (const limits of [ownLimits, parentLimits ?? ownLimits]) {
            for (const bound of [limits.dailyLimit, limits.monthlyLimit])
              if (bound !== 0) expect(sent).toBeLessThanOrEqual(bound);
          }
        },
      ),
    );
  });
});

describe('the verdict on a read receipt', () => {
  const monitored = account({ enforcement: 'monitor', limits: { dailyLimit: 0, monthlyLimit: 0 } });

  it.each(['enforce', 'monitor'] as const)('accepts the 50th of a day and defers the 51st, with %s', (enforcement) => {
    const own = account({ enforcement, limits: { dailyLimit: 0, monthlyLimit: 0 } });
    expect(decideOutbound(facts({ own, receiptsToday: 49 })).allowed).toBe(true);
    expect(decideOutbound(facts({ own, receiptsToday: 50 }))).toMatchObject({
      action: 'defer',
      reason: 'mailbox_limit',
    });
  });

  it('rejects one that counts as two, such as one to an alias of two destinations', () => {
    expect(decideOutbound(facts({ own: monitored, receiptsToday: 0, count: 2 }))).toMatchObject({
      action: 'reject',
      reason: 'message_exceeds_limit',
    });
  });

  it('is that of every message otherwise', () => {
    for (const reason of OUTBOUND_REASONS) {
      const { fields } = CASES[reason];
      expect(decideOutbound(facts({ ...fields, receiptsToday: 0 }))).toEqual(decideOutbound(facts(fields)));
    }
  });
});
