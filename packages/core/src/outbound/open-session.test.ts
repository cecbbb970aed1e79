import { OpenSession } from './open-session.js';

describe('an open session', () => {
  let now: number;
  const session = (ageMs: number) => new OpenSession(ageMs, () => now);

  beforeEach(() => {
    now = 1_000;
  });

  it('has ended when it began before the login was taken away, or at the same millisecond', () => {
    expect(session(5_000).isRevoked(4_999)).toBe(true);
    expect(session(5_000).isRevoked(5_000)).toBe(true);
    expect(session(5_000).isRevoked(5_001)).toBe(false);
    expect(session(5_000).isRevoked(null)).toBe(false);
  });

  it('becomes older while its request waits, so that a late decision does not make it younger', () => {
    const waiting = session(5_000);
    now += 2_000;
    // Taken away 6 s before the decision: the session had begun 1 s earlier.
    expect(waiting.isRevoked(6_000)).toBe(true);
    expect(waiting.isRevoked(7_001)).toBe(false);
  });

  it('has ended when the database says that the login is taken away in the future, since its clock was set back', () => {
    expect(session(0).isRevoked(-60_000)).toBe(true);
  });
});
