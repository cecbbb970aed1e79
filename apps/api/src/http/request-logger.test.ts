import { PassThrough } from 'node:stream';
import { createLogger } from '@mailstead/adapters/logger';
import { until } from '@mailstead/core/testing/until';
import type { RequestLine } from './request-log.js';
import { RequestLogger } from './request-logger.js';

const LINE: RequestLine = {
  method: 'GET',
  path: '/domains/',
  route: '/domains/',
  status: 429,
  durationMs: 1,
  caller: null,
  requestId: 'a',
  requestUid: 'b',
  errorCode: null,
  added: {},
};

describe('the log line of a request', () => {
  it.each([
    ['rate_limited', 'rate'],
    ['too_many_streams', 'streams'],
    ['too_many_links', 'links'],
    ['hashing_busy', 'hashing'],
    ['domain_not_found', undefined],
    [null, undefined],
  ])('with the code %s names the limit %s', (errorCode, limit) => {
    const written: Record<string, unknown>[] = [];
    const logger = new RequestLogger({
      info: (_: string, line: Record<string, unknown>) => written.push(line),
    } as never);
    logger.request({ ...LINE, errorCode });
    expect(written.map((line) => line.limit)).toEqual([limit]);
  });

  it.each([
    ['info', ['loud']],
    ['debug', ['quiet', 'loud']],
  ])('that is quiet is written only with LOG_LEVEL=debug: %s', async (level, expected) => {
    const output = new PassThrough();
    const lines: string[] = [];
    output.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
    const logger = new RequestLogger(createLogger(level, output));
    logger.request({ ...LINE, requestId: 'quiet', isQuiet: true });
    logger.request({ ...LINE, requestId: 'loud' });
    const ids = () => lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id);
    await until('the last line', () => ids().includes('loud'));
    expect(ids()).toEqual(expected);
  });
});
