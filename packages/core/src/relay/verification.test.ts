import { HOUR_MS } from '../clock.js';
import { aVerification } from '../testing/builders.js';
import type { IdentityStatus } from './relay-provider.js';
import { isEffectivelyVerified } from './verification.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const identity = (status: IdentityStatus, reason: string | null = null) => ({
  status,
  providerStatus: status,
  reason,
  records: [],
  configurationSet: null,
  atRisk: null,
});

describe('a verification', () => {
  it('reports its success once', () => {
    const verification = aVerification({});
    verification.start(NOW);
    expect(verification.applyIdentity(identity('pending'), NOW)).toBeNull();
    expect(verification.applyIdentity(identity('verified'), later(1))).toBe('verified');
    expect(verification.applyIdentity(identity('verified'), later(2))).toBeNull();
    expect(verification.verifiedAt).toEqual(later(1));
  });

  it('is never lost by a time-out', () => {
    const verification = aVerification({ status: 'verified', verifiedAt: NOW });
    verification.postpone('The provider does not answer', later(1));
    expect(verification).toMatchObject({ status: 'verified', lostAt: null, nextCheckAt: null });
  });

  it.each(['pending', 'failed'] as const)(
    'is lost when the provider returns %s, and reports the loss once',
    (status) => {
      const verification = aVerification({ status: 'verified', verifiedAt: NOW });
      expect(verification.applyIdentity(identity(status), later(1))).toBe('lost');
      expect(verification.applyIdentity(identity(status), later(2))).not.toBe('lost');
      expect(verification.lostAt).toEqual(later(1));
    },
  );

  it('reports its failure once, with the reason', () => {
    const verification = aVerification({ status: 'pending' });
    expect(verification.applyIdentity(identity('failed', 'The DKIM records were not found'), NOW)).toBe('failed');
    expect(verification.applyIdentity(identity('failed', 'The DKIM records were not found'), later(1))).toBeNull();
    expect(verification.lastError).toBe('The DKIM records were not found');
  });

  it('has its DKIM confirmed once the provider has found it: also without ownership and at risk, not after a loss', () => {
    const found = { ...identity('verified'), providerStatus: 'success' };
    const owned = aVerification({ ownershipRequired: true });
    expect(owned.isDkimConfirmed).toBe(false);
    owned.start(NOW);
    owned.applyIdentity(identity('pending'), NOW);
    expect(owned.isDkimConfirmed).toBe(false);
    owned.applyIdentity(found, later(1));
    expect(owned).toMatchObject({ status: 'pending', isDkimConfirmed: true });
    owned.markFailed('The identity is foreign', later(2));
    expect(owned.isDkimConfirmed).toBe(false);
    owned.start(later(3));
    expect(owned).toMatchObject({ providerStatus: 'success', isDkimConfirmed: false });
    const risked = aVerification({});
    risked.start(NOW);
    risked.applyIdentity({ ...found, providerStatus: 'temporary_failure', atRisk: { since: NOW } }, NOW);
    expect(risked.isDkimConfirmed).toBe(true);
    risked.applyIdentity(identity('pending'), later(1));
    expect(risked.isDkimConfirmed).toBe(false);
  });

  it('is checked again after 5 s, 30 s, 2, 10 and 30 min, and then only by the poll', () => {
    const verification = aVerification({ status: 'pending' });
    let now = NOW;
    const delays = [1, 2, 3, 4, 5, 6].map(() => {
      verification.planNextCheck(now);
      const next = verification.nextCheckAt;
      const delay = next === null ? null : next.getTime() - now.getTime();
      now = next ?? now;
      return delay;
    });
    expect(delays).toEqual([5_000, 30_000, 120_000, 600_000, 1_800_000, null]);
  });

  it('keeps its planned check when it is checked earlier', () => {
    const verification = aVerification({ status: 'pending' });
    verification.planNextCheck(NOW);
    for (const ms of [1_000, 2_000, 4_999]) verification.planNextCheck(later(ms));
    expect(verification.nextCheckAt).toEqual(later(5_000));
  });

  it('stays verified while it is started again', () => {
    const verification = aVerification({ status: 'verified' });
    verification.start(NOW);
    expect(verification.status).toBe('verified');
  });

  it('waits for the ownership record when it is required', () => {
    const verification = aVerification({ status: 'pending', ownershipRequired: true });
    expect(verification.applyIdentity(identity('verified'), NOW)).toBeNull();
    expect(verification.status).toBe('pending');
    verification.ownershipSeenAt = later(1);
    expect(verification.applyIdentity(identity('verified'), later(1))).toBe('verified');
  });
});

describe('a domain counts as verified', () => {
  const verified = { status: 'verified' } as const;
  const pending = { status: 'pending' } as const;

  it('when its own verification or that of its parent is verified, and not otherwise', () => {
    expect(isEffectivelyVerified(verified, null, null, NOW)).toBe(true);
    expect(isEffectivelyVerified(pending, verified, null, NOW)).toBe(true);
    expect(isEffectivelyVerified(pending, pending, null, NOW)).toBe(false);
  });

  it('until the end of the grace after the loss of its parent, to the millisecond', () => {
    const until = later(HOUR_MS);
    expect(isEffectivelyVerified(pending, null, until, later(HOUR_MS - 1))).toBe(true);
    expect(isEffectivelyVerified(pending, null, until, until)).toBe(false);
  });
});
