import fc from '../../../../scripts/fast-check.mjs';
import { isDotReference, Partner, type PartnerRef, parsePartnerRef } from './partner.js';

const aPartner = (): Partner =>
  Object.assign(Object.create(Partner.prototype) as Partner, { id: 1, lastCreatedAt: new Date(0) });

describe('creation times within a partner', () => {
  it('strictly increase, even when the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2_000_000_000_000 }), { minLength: 2 }), (instants) => {
        const partner = aPartner();
        const stamps = instants.map((instant) => partner.stampCreation(new Date(instant)).getTime());
        for (let index = 1; index < stamps.length; index += 1)
          expect(stamps[index]).toBeGreaterThan(stamps[index - 1] ?? 0);
      }),
    );
  });

  it('are the time of the clock when the clock moves forward', () => {
    const partner = aPartner();
    expect(partner.stampCreation(new Date(1_000))).toEqual(new Date(1_000));
    expect(partner.stampCreation(new Date(2_000))).toEqual(new Date(2_000));
  });
});

describe('a partner reference', () => {
  it.each(['a', 'A.b_c:d@e-f', 'x'.repeat(128)])('may be %s', (ref) => expect(parsePartnerRef(ref)).toBe(ref));
  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(129), 'a\n'])('may not be %j', (ref) =>
    expect(parsePartnerRef(ref)).toBeNull(),
  );
  it('of dots alone is part of no path, if it has one or two', () => {
    const isDot = (ref: string) => isDotReference(ref as PartnerRef);
    expect(['.', '..'].map(isDot)).toEqual([true, true]);
    expect(['...', '.a', 'a.', '..a', '-'].map(isDot)).toEqual([false, false, false, false, false]);
  });
});
