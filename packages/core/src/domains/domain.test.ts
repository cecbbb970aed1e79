import { DAY_MS, HOUR_MS } from '../clock.js';
import { aDomain } from '../testing/builders.js';
import { ORPHAN_GRACE_MS } from './domain.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const GRACE_MS = DAY_MS;
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('the retention of a domain', () => {
  it('applies a lower value to the purge only after the grace', () => {
    const domain = aDomain({ retentionDays: 90, retentionDaysBefore: 90 });
    domain.setRetention(30, NOW, GRACE_MS);
    expect(domain.retentionDays).toBe(30);
    expect(domain.purgeAfterDays(later(GRACE_MS - 1), GRACE_MS)).toBe(90);
    expect(domain.purgeAfterDays(later(GRACE_MS), GRACE_MS)).toBe(30);
  });

  it('purges nothing during the grace when it was unlimited before', () => {
    const domain = aDomain({ retentionDays: 0 });
    domain.setRetention(1, NOW, GRACE_MS);
    expect(domain.purgeAfterDays(later(GRACE_MS - 1), GRACE_MS)).toBe(0);
  });

  it('purges by its first value during the grace when it is lowered twice', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(60, NOW, GRACE_MS);
    domain.setRetention(30, later(HOUR_MS), GRACE_MS);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS), GRACE_MS)).toBe(90);
    expect(domain.purgeAfterDays(later(HOUR_MS + GRACE_MS), GRACE_MS)).toBe(30);
  });

  it('applies at once when it is raised again', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, GRACE_MS);
    domain.setRetention(90, later(HOUR_MS), GRACE_MS);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS), GRACE_MS)).toBe(90);
  });

  it('when raised in part during the grace, purges by the old value during the grace and by the new value after it', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, GRACE_MS);
    domain.setRetention(60, later(HOUR_MS), GRACE_MS);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS), GRACE_MS)).toBe(90);
    expect(domain.purgeAfterDays(later(GRACE_MS), GRACE_MS)).toBe(60);
  });
});

describe('an outbound block', () => {
  it('restarts the bounce window when it is lifted', () => {
    const domain = aDomain({});
    domain.block('bounce_rate', NOW);
    expect(domain.outboundStatus).toBe('blocked');
    domain.unblock(later(HOUR_MS));
    expect(domain).toMatchObject({
      outboundStatus: 'active',
      blockedReason: null,
      blockedAt: null,
      bounceWindowStart: later(HOUR_MS),
    });
  });
});

describe('an unlinked child', () => {
  it('of a verified parent counts as verified for 72 hours', () => {
    const child = aDomain({ parentId: 7 });
    child.unlink(true, NOW);
    expect(child).toMatchObject({ parentId: null, inheritedUntil: later(ORPHAN_GRACE_MS) });
  });

  it('of an unverified parent has no grace', () => {
    const child = aDomain({ parentId: 7 });
    child.unlink(false, NOW);
    expect(child).toMatchObject({ parentId: null, inheritedUntil: null });
  });
});
