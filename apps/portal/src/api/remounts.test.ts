import { Remounts } from './remounts.js';

describe('a screen that failed in a translated page', () => {
  let remounts: Remounts;

  beforeEach(() => {
    remounts = new Remounts();
  });

  it('is mounted anew at once, and a second after that when it fails again at once', () => {
    expect(remounts.waitMs(5_000)).toBe(0);
    remounts.note(5_000);
    expect(remounts.waitMs(5_000)).toBe(1_000);
    expect(remounts.waitMs(5_400)).toBe(600);
    expect(remounts.waitMs(6_000)).toBe(0);
  });

  it('is mounted anew at most five times in a row', () => {
    for (const at of [0, 1_000, 2_000, 3_000]) remounts.note(at);
    expect(remounts.waitMs(4_000)).toBe(0);
    remounts.note(4_000);
    expect(remounts.waitMs(5_000)).toBeNull();
    expect(remounts.waitMs(13_999)).toBeNull();
  });

  it('is mounted anew as often again after ten quiet seconds', () => {
    for (const at of [0, 1_000, 2_000, 3_000, 4_000]) remounts.note(at);
    expect(remounts.waitMs(14_000)).toBe(0);
    for (const at of [14_000, 15_000, 16_000, 17_000]) remounts.note(at);
    expect(remounts.waitMs(18_000)).toBe(0);
    remounts.note(18_000);
    expect(remounts.waitMs(19_000)).toBeNull();
  });
});
