import type { ClaimedJob } from '@mailstead/core/jobs/job-store';
import type { Logger } from '../logger.js';
import { LoggedJobs } from './job-log.js';

type Line = [level: string, message: string, fields: Record<string, unknown>];

const JOB: ClaimedJob = {
  id: 7,
  owner: 'o',
  name: 'notifications.deliver',
  payload: {},
  attempts: 0,
  requestId: 'asked-1',
  traceId: null,
};

/** @returns the lines that were logged */
function linesOf(work: (log: LoggedJobs) => void): Line[] {
  const lines: Line[] = [];
  const logAt = (level: string) => (message: string, fields: Record<string, unknown>) =>
    void lines.push([level, message, fields]);
  const log = (level: string, message: string, fields: Record<string, unknown>) =>
    void lines.push([level, message, fields]);
  work(new LoggedJobs({ info: logAt('info'), warn: logAt('warn'), log } as unknown as Logger));
  return lines;
}

describe('the log of jobs', () => {
  it('warns of a job of which some items failed, and of a job that failed with its reason', () => {
    const ran = (counts: Record<string, number>) =>
      linesOf((log) => log.ran({ job: JOB, durationMs: 1, counts, failure: null }));
    expect(ran({ delivered: 2, failed: 0 })).toMatchObject([['info', 'job', { delivered: 2 }]]);
    expect(ran({ delivered: 2, failed: 1 })).toMatchObject([['warn', 'job', { failed: 1, request_id: 'asked-1' }]]);
    const failure = { outcome: 'dead' as const, error: new Error('no such domain') };
    expect(linesOf((log) => log.ran({ job: JOB, durationMs: 1, counts: {}, failure }))).toMatchObject([
      ['warn', 'job failed', { outcome: 'dead', reason: expect.stringContaining('no such domain') }],
    ]);
  });

  it('names the schedule that was requested', () => {
    const job: ClaimedJob = { ...JOB, name: 'schedule.run', payload: { name: 'housekeeping' } };
    expect(linesOf((log) => log.ran({ job, durationMs: 1, counts: {}, failure: null }))).toMatchObject([
      ['info', 'job', { job: 'schedule.run', schedule: 'housekeeping' }],
    ]);
  });

  it('warns of a schedule that failed with its reason, and logs the counts of one that is done', () => {
    const name = 'retention.purge' as const;
    expect(
      linesOf((log) => {
        log.scheduled({ name, outcome: 'failed', reason: 'the store is away', counts: {} });
        log.scheduled({ name, outcome: 'done', reason: null, counts: { messages: 3, failed: 0 } });
        log.scheduled({ name, outcome: 'done', reason: null, counts: { messages: 3, failed: 2 } });
      }),
    ).toMatchObject([
      ['warn', 'schedule', { name, reason: 'the store is away' }],
      ['info', 'schedule', { name, messages: 3 }],
      ['warn', 'schedule', { name, failed: 2 }],
    ]);
  });

  it('warns of a notification that was not delivered, with its channel, reason and next attempt', () => {
    const delivery = { id: 'n-1', type: 'domain.verified' as const, channel: 'email', reason: '451', attempts: 2 };
    const nextAttemptAt = new Date('2026-03-15T12:05:00.000Z');
    expect(linesOf((log) => log.undelivered({ ...delivery, nextAttemptAt }))).toEqual([
      [
        'warn',
        'notification not delivered',
        {
          notification: 'n-1',
          type: 'domain.verified',
          channel: 'email',
          attempts: 2,
          reason: '451',
          next_attempt_at: '2026-03-15T12:05:00.000Z',
        },
      ],
    ]);
  });
});
