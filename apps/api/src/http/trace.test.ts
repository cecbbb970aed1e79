import { until } from '@mailstead/core/testing/until';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { TRACE_ID } from '../testing/traced-creation.js';

const PART = '00f067aa0ba902b7';
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi('sqlite');
});
afterAll(() => api.close());

function send(path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${MASTER}`, ...headers } });
}

/** The trace in which the line of a request with this header is logged. */
let requests = 0;
async function traceOf(traceparent: string, path = '/health', headers: Record<string, string> = {}): Promise<unknown> {
  requests += 1;
  const id = `request-${requests}`;
  await send(path, { traceparent, 'X-Request-Id': id, ...headers });
  const place = () => api.log.lines.findIndex(({ requestId }) => requestId === id);
  await until('the line of the request', () => place() >= 0);
  return api.log.traces[place()];
}

/** That it is in the text of the line, and in that of a job, is shown by `main.sampled.test.ts`. */
describe('the trace of a request', () => {
  it('is that of its log line, of a path without a route too, and of no other request', async () => {
    expect(await traceOf(`00-${TRACE_ID}-${PART}-01`)).toBe(TRACE_ID);
    expect(await traceOf(`00-${TRACE_ID}-${PART}-01`, '/nowhere')).toBe(TRACE_ID);
    expect(await traceOf('')).toBeNull();
  });

  it('that is malformed is ignored: the request is answered, and its line has none', async () => {
    for (const wrong of [
      `00-${TRACE_ID}-${PART}`,
      `ff-${TRACE_ID}-${PART}-01`,
      `00-${'0'.repeat(32)}-${PART}-01`,
      'x',
    ]) {
      expect(await traceOf(wrong)).toBeNull();
    }
    expect((await send('/health', { traceparent: 'x'.repeat(4_000) })).status).toBe(200);
  });

  it('that also occurs in the credentials or the path is not logged, because it may be a token', async () => {
    const token = 'f'.repeat(32);
    expect(await traceOf(`00-${token}-${PART}-01`, '/me', { Authorization: `Bearer ${token}` })).toBeNull();
    expect(await traceOf(`00-${token}-${PART}-01`, `/api-keys/${token}`)).toBeNull();
    expect(JSON.stringify([api.log.lines, api.log.traces, api.log.warnings])).not.toContain(token);
  });

  it('is not answered, nor is a new one made', async () => {
    const given: Record<string, string>[] = [{}, { traceparent: `00-${TRACE_ID}-${PART}-01` }];
    for (const headers of given) {
      const response = await send('/health', headers);
      expect([...response.headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
    }
  });
});
