import { runResult } from './run-result.js';

const RUN = { period: '2026-03-01T04', started_at: '', ended_at: '', outcome: 'done', reason: null } as const;
const resultOf = (schedule: string, counts: Record<string, number>) => runResult(schedule, { ...RUN, counts });

describe('the result of a run', () => {
  it('says what was done, without what was not', () => {
    const counts = { homes: 2, messages: 1, bytes: 3_145_728, failed: 0, erased: 0, names: 1 };
    expect(resultOf('deleted-mail.remove', counts)).toBe(
      '2 mailboxes’ mail removed, 1 message removed, 3 MB freed, 1 name of a deleted domain or mailbox forgotten',
    );
  });

  it('of nothing but zeros is that there was nothing to do', () => {
    expect(resultOf('deleted-mail.remove', { homes: 0, names: 0 })).toBe('Nothing to do');
  });

  it('names what the schedule means by a count', () => {
    expect(resultOf('usage.snapshot', { domains: 12, days: 1 })).toBe('12 domains, 1 day');
    expect(resultOf('housekeeping', { dns_looks: 2 })).toBe('2 looks at DNS records planned');
    expect(resultOf('housekeeping', { days: 3 })).toBe('3 old days of counters deleted');
  });

  it('keeps the name of a count that it does not know', () => {
    expect(resultOf('housekeeping', { new_things: 4 })).toBe('4 new_things');
  });
});
