import type { PreviewVerdict } from '../outbound-api.js';
import { HeadroomMemory } from './headroom-memory.js';

const MAX_LOGINS = 10_000;

describe('the memory of headrooms', () => {
  let now: number;
  let memory: HeadroomMemory;

  beforeEach(() => {
    now = 50;
    memory = new HeadroomMemory(() => now);
  });

  const loginOf = (number: number, domain = 'acme.test') => ({ login: `m${number}@${domain}`, domain });
  const note = (submitter = loginOf(0), verdict: Partial<PreviewVerdict> = {}) =>
    memory.notePreview(submitter, { action: 'accept', reason: null, counts_as: 1, headroom: 1_000, ...verdict }, now);
  const covers = (submitter = loginOf(0), open = 0) => memory.covers(submitter, open);

  it('covers recipients below a tenth of the headroom, and any number without a limit', () => {
    note();
    expect([98, 99, 100].map((open) => covers(loginOf(0), open))).toEqual([true, false, false]);
    note(loginOf(0), { headroom: 10 });
    expect(covers()).toBe(false);
    note(loginOf(0), { headroom: 11 });
    expect([0, 1].map((open) => covers(loginOf(0), open))).toEqual([true, false]);
    note(loginOf(0), { headroom: null });
    expect(covers(loginOf(0), 1_000_000)).toBe(true);
    expect(covers(loginOf(1))).toBe(false);
  });

  it('ends 2 s after the preview was requested, not after its answer, and no count makes it longer', () => {
    const askedAt = now;
    now += 1_500;
    memory.notePreview(loginOf(0), { action: 'accept', reason: null, counts_as: 1, headroom: 1_000 }, askedAt);
    now = askedAt + 2_000;
    expect(covers()).toBe(true);
    memory.noteCount(
      { sender: loginOf(0).login, domain: 'acme.test' },
      { action: 'accept', reason: null, headroom: 9 },
    );
    expect(covers()).toBe(false);
    memory.noteCount(
      { sender: loginOf(0).login, domain: 'acme.test' },
      { action: 'accept', reason: null, headroom: 99 },
    );
    expect(covers()).toBe(true);
    now += 1;
    expect(covers()).toBe(false);
  });

  it('is not begun by a count, because only a preview says whether each recipient must be asked about', () => {
    memory.noteCount(
      { sender: loginOf(0).login, domain: 'acme.test' },
      { action: 'accept', reason: null, headroom: 99 },
    );
    expect(covers()).toBe(false);
  });

  it('covers nothing after a preview that says that each recipient must be asked about, until one does not', () => {
    note(loginOf(0), { each_recipient: true });
    expect([covers(), memory.asksAboutEach(loginOf(0)), memory.asksAboutEach(loginOf(1))]).toEqual([
      false,
      true,
      false,
    ]);
    note(loginOf(0), { each_recipient: false });
    expect([covers(), memory.asksAboutEach(loginOf(0))]).toEqual([true, false]);
    note(loginOf(0), { each_recipient: true });
    now += 2_001;
    expect(memory.asksAboutEach(loginOf(0))).toBe(false);
  });

  it('loses all logins of a domain with a refusal of one, in a preview or a count, and keeps those of other domains', () => {
    const refusal = { action: 'reject', reason: 'outbound_blocked', headroom: 0 };
    for (const refuse of [
      () => note(loginOf(0), refusal),
      () => memory.noteCount({ sender: loginOf(0).login, domain: 'acme.test' }, refusal),
    ]) {
      for (const each of [loginOf(0), loginOf(1), loginOf(0, 'beta.test')]) note(each);
      refuse();
      expect([loginOf(0), loginOf(1), loginOf(0, 'beta.test')].map((each) => covers(each))).toEqual([
        false,
        false,
        true,
      ]);
    }
  });

  it('keeps at most 10,000 logins, of any domains, and removes the oldest first', () => {
    for (let number = 0; number < MAX_LOGINS; number += 1) note(loginOf(number, `d${number % 7}.test`));
    const first = [0, 1, 2].map((number) => loginOf(number, `d${number}.test`));
    note(first[0]);
    expect(first.map((each) => covers(each))).toEqual([true, true, true]);
    note(loginOf(MAX_LOGINS));
    expect(first.map((each) => covers(each))).toEqual([true, false, true]);
    expect(covers(loginOf(MAX_LOGINS))).toBe(true);
  });
});
