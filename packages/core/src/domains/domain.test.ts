import { draws } from '../../../../scripts/fast-check.mjs';
import { DAY_MS, HOUR_MS } from '../clock.js';
import { aDomain } from '../testing/builders.js';
import { isStricter } from './retention.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const GRACE_MS = DAY_MS;
const OWN = { ms: GRACE_MS, isNotified: false };
const BY_PLAN = { ms: 14 * DAY_MS, isNotified: true };
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('the retention of a domain', () => {
  it('applies a lower value to the purge only after the grace', () => {
    const domain = aDomain({ retentionDays: 90, retentionDaysBefore: 90 });
    domain.setRetention(30, NOW, OWN);
    expect(domain.retentionDays).toBe(30);
    expect(domain.purgeAfterDays(later(GRACE_MS - 1))).toBe(90);
    expect(domain.purgeAfterDays(later(GRACE_MS))).toBe(30);
  });

  it('purges nothing during the grace when it was unlimited before', () => {
    const domain = aDomain({ retentionDays: 0 });
    domain.setRetention(1, NOW, OWN);
    expect(domain.purgeAfterDays(later(GRACE_MS - 1))).toBe(0);
  });

  it('purges by its first value during the grace when it is lowered twice', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(60, NOW, OWN);
    domain.setRetention(30, later(HOUR_MS), OWN);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS))).toBe(90);
    expect(domain.purgeAfterDays(later(HOUR_MS + GRACE_MS))).toBe(30);
  });

  it('applies at once when it is raised again', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, OWN);
    domain.setRetention(90, later(HOUR_MS), OWN);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS))).toBe(90);
  });

  it('when raised in part during the grace, purges by the old value during the grace and by the new value after it', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, OWN);
    domain.setRetention(60, later(HOUR_MS), OWN);
    expect(domain.purgeAfterDays(later(2 * HOUR_MS))).toBe(90);
    expect(domain.purgeAfterDays(later(GRACE_MS))).toBe(60);
  });
});

describe('a retention that is lowered several times', () => {
  const daysAfter = (domain: ReturnType<typeof aDomain>, ms: number) => domain.purgeAfterDays(later(ms));

  it('applies a lowering by the plan after its longer grace, and an own one before it after its own grace', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(60, NOW, OWN);
    domain.setRetention(30, later(HOUR_MS), BY_PLAN);
    expect(
      [GRACE_MS - 1, GRACE_MS, HOUR_MS + 14 * DAY_MS - 1, HOUR_MS + 14 * DAY_MS].map((ms) => daysAfter(domain, ms)),
    ).toEqual([90, 60, 60, 30]);
  });

  it('applies an own lowering below a waiting one of the plan after its own grace', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(60, NOW, BY_PLAN);
    domain.setRetention(30, later(HOUR_MS), OWN);
    expect([GRACE_MS, HOUR_MS + GRACE_MS - 1, HOUR_MS + GRACE_MS].map((ms) => daysAfter(domain, ms))).toEqual([
      90, 90, 30,
    ]);
    expect(domain.retentionReminderAt).toBeNull();
  });

  it('keeps each value until the lowering after it begins, in whatever order they are made', () => {
    const domain = aDomain({ retentionDays: 0 });
    domain.setRetention(90, NOW, BY_PLAN);
    domain.setRetention(60, later(DAY_MS), BY_PLAN);
    domain.setRetention(30, later(2 * DAY_MS), BY_PLAN);
    expect([13, 14, 15, 16].map((day) => daysAfter(domain, day * DAY_MS))).toEqual([0, 90, 60, 30]);
  });

  it('forgets every lowering and its reminder when it is raised to what the purge applies, or above', () => {
    for (const days of [90, 120, 0]) {
      const domain = aDomain({ retentionDays: 90 });
      domain.setRetention(60, NOW, BY_PLAN);
      domain.setRetention(30, later(HOUR_MS), BY_PLAN);
      domain.setRetention(days, later(2 * HOUR_MS), OWN);
      expect(domain.retentionReminderAt).toBeNull();
      expect(domain.takeReminders(later(30 * DAY_MS))).toEqual([]);
      expect(daysAfter(domain, 30 * DAY_MS)).toBe(days);
    }
  });

  it('raised above what the purge applies already, takes effect at once', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, OWN);
    domain.setRetention(60, later(GRACE_MS), OWN);
    expect(daysAfter(domain, GRACE_MS)).toBe(60);
    expect(daysAfter(domain, 9 * GRACE_MS)).toBe(60);
  });

  it('a raise in part keeps the time of the lowering and of its reminder', () => {
    const domain = aDomain({ retentionDays: 90 });
    domain.setRetention(30, NOW, BY_PLAN);
    const reminder = domain.retentionReminderAt;
    domain.setRetention(60, later(5 * DAY_MS), BY_PLAN);
    expect(domain.retentionReminderAt).toEqual(reminder);
    expect([daysAfter(domain, 14 * DAY_MS - 1), daysAfter(domain, 14 * DAY_MS)]).toEqual([90, 60]);
  });

  it('reminds once, on the tenth UTC day', () => {
    const domain = aDomain({ retentionDays: 90 });
    const lowered = domain.setRetention(30, NOW, BY_PLAN);
    expect(lowered).toEqual({ retentionDays: 30, retentionDaysBefore: 90, effectiveAt: later(14 * DAY_MS) });
    expect(domain.retentionReminderAt).toEqual(new Date('2026-03-25T00:00:00.000Z'));
    expect(domain.takeReminders(new Date('2026-03-24T23:59:59.999Z'))).toEqual([]);
    expect(domain.takeReminders(new Date('2026-03-25T00:00:00.000Z'))).toEqual([lowered]);
    expect(domain.takeReminders(new Date('2026-03-25T00:00:00.000Z'))).toEqual([]);
    expect(domain.retentionReminderAt).toBeNull();
  });

  it('is never applied early by any sequence of changes', () => {
    const { below } = draws();
    const early: object[] = [];
    for (let round = 0; round < 500; round += 1) {
      const domain = aDomain({ retentionDays: 90, retentionDaysBefore: 90 });
      let asked = [{ days: 90, from: 0 }];
      for (let change = 0, at = 0; change < 8; change += 1) {
        at += below(10) * DAY_MS;
        const grace = below(2) === 0 ? OWN : BY_PLAN;
        const days = below(10) * 10;
        domain.setRetention(days, later(at), grace);
        // A raise corrects the lowerings before it; a lowering adds to them.
        asked = asked.map((each) => (isStricter(each.days, days) ? { ...each, days } : each));
        asked.push({ days, from: at + grace.ms });
        const checkedAt = at + below(24) * HOUR_MS;
        const applied = daysAfter(domain, checkedAt);
        const begun = asked.filter(({ from }) => from <= checkedAt);
        const isAsked = begun.some((each) => !isStricter(applied, each.days));
        if (!isAsked || isStricter(applied, days)) early.push({ round, asked, checkedAt, applied, days });
      }
    }
    expect(early).toEqual([]);
  });
});
