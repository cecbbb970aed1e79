import type { DomainName } from '@mailstead/core/domains/domain-name';
import { OUTBOUND_ACTIONS, OUTBOUND_REASONS } from '@mailstead/core/outbound/decide-outbound';
import type { CountedIncrement, OutboundAnswer } from '@mailstead/core/outbound/outbound-answer';
import { OUTBOUND_STATUSES } from '@mailstead/core/outbound/outbound-settings';
import fc from '../../../../../scripts/fast-check.mjs';
import { packIncrement, unpackIncrement } from './packed-increment.js';

const NAME = 'acme.example' as DomainName;

const number = fc.oneof(
  fc.nat(300),
  fc.maxSafeNat(),
  fc.constantFrom(127, 128, 2_147_483_647, Number.MAX_SAFE_INTEGER),
);
const answer = fc.record<OutboundAnswer>(
  {
    name: fc.constant(NAME),
    allowed: fc.boolean(),
    action: fc.constantFrom(...OUTBOUND_ACTIONS),
    reason: fc.constantFrom(null, ...OUTBOUND_REASONS),
    limitedBy: fc.constantFrom(null, 'parent.example' as DomainName, `${'x'.repeat(249)}.abc` as DomainName),
    sentToday: number,
    sentThisMonth: number,
    dailyLimit: number,
    monthlyLimit: number,
    outboundStatus: fc.constantFrom(...OUTBOUND_STATUSES),
    verified: fc.boolean(),
    count: number,
    forwardedToday: number,
  },
  {
    requiredKeys: [
      'name',
      'allowed',
      'action',
      'reason',
      'limitedBy',
      'sentToday',
      'sentThisMonth',
      'dailyLimit',
      'monthlyLimit',
      'outboundStatus',
      'verified',
    ],
  },
);
const fingerprint = fc.oneof(
  fc.constant(null),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
);
const increment: fc.Arbitrary<CountedIncrement> = fc.oneof(
  fc.record({ kind: fc.constant('message' as const), count: number, fingerprint, answer }),
  fc.record({
    kind: fc.constant('transfer' as const),
    answer: fc.record({ name: fc.constant(NAME), bytes: number, bytesThisMonth: number }),
  }),
);

describe('a counted increment', () => {
  it('is the same after it was packed and unpacked, and fits into its column', () => {
    fc.assert(
      fc.property(increment, (counted) => {
        const packed = packIncrement(counted);
        expect(packed.length).toBeLessThanOrEqual(400);
        expect(unpackIncrement(packed, NAME)).toEqual(counted);
      }),
    );
  });
});
