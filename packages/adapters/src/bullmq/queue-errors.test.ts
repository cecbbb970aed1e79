import { MINUTE_MS } from '@mailstead/core/clock';
import { QueueErrors } from './queue-errors.js';

describe('the errors of the queue', () => {
  let now: number;
  let lines: string[];
  let errors: QueueErrors;

  beforeEach(() => {
    now = 0;
    lines = [];
    errors = new QueueErrors(
      (line) => lines.push(line),
      () => now,
    );
  });

  it('are logged once a minute, each text', () => {
    for (now = 0; now < MINUTE_MS; now += 10) {
      errors.report(new Error('one'));
      errors.report(new Error('two'));
    }
    expect(lines).toEqual(['one', 'two']);
    errors.report(new Error('one'));
    expect(lines).toEqual(['one', 'two', 'one']);
  });

  it('with ever new texts are at most twenty lines a minute', () => {
    for (let job = 0; job < 1_000; job += 1) errors.report(new Error(`Missing lock for job ${job}`));
    expect(lines).toHaveLength(20);
    now = MINUTE_MS;
    errors.report(new Error('Missing lock for job 1000'));
    expect(lines).toHaveLength(21);
  });

  it('name each address of a host that refused the connection', () => {
    errors.report(
      new AggregateError([new Error('connect ECONNREFUSED ::1:6379'), new Error('ECONNREFUSED 127.0.0.1')]),
    );
    expect(lines).toEqual(['connect ECONNREFUSED ::1:6379, ECONNREFUSED 127.0.0.1']);
  });
});
