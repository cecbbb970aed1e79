import type { ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';
import { linesWith, sendTraced, TRACE_ID } from '../testing/traced-creation.js';

const PART = '00f067aa0ba902b7';
const services = new ChildServices();
let api: ChildService;

beforeAll(async () => {
  api = await services.start(await services.environment('sqlite'));
});
afterAll(() => services.end());

/** The trace in the log line of a request with this header. */
let requests = 0;
async function traceOf(traceparent: string, path = '/health', headers: Record<string, string> = {}): Promise<unknown> {
  requests += 1;
  const id = `request-${requests}`;
  await sendTraced(api, path, { traceparent, 'X-Request-Id': id, ...headers });
  const [line] = await linesWith(api, 'request_id', id);
  return line?.trace_id;
}

describe('the trace of a request', () => {
  it('is in its log line, of a path without a route too, and of no other request', async () => {
    expect(await traceOf(`00-${TRACE_ID}-${PART}-01`)).toBe(TRACE_ID);
    expect(await traceOf(`00-${TRACE_ID}-${PART}-01`, '/nowhere')).toBe(TRACE_ID);
    expect(await traceOf('')).toBeUndefined();
  });

  it('that is malformed is ignored: the request is answered, and its line has none', async () => {
    for (const wrong of [
      `00-${TRACE_ID}-${PART}`,
      `ff-${TRACE_ID}-${PART}-01`,
      `00-${'0'.repeat(32)}-${PART}-01`,
      'x',
    ]) {
      expect(await traceOf(wrong)).toBeUndefined();
    }
    expect((await sendTraced(api, '/health', { traceparent: 'x'.repeat(4_000) })).status).toBe(200);
  });

  it('that also occurs in the credentials or the path is not logged, because it may be a token', async () => {
    const token = 'f'.repeat(32);
    expect(await traceOf(`00-${token}-${PART}-01`, '/me', { Authorization: `Bearer ${token}` })).toBeUndefined();
    expect(await traceOf(`00-${token}-${PART}-01`, `/api-keys/${token}`)).toBeUndefined();
    expect(api.output).not.toContain(token);
  });

  it('is not answered, nor is a new one made', async () => {
    const given: Record<string, string>[] = [{}, { traceparent: `00-${TRACE_ID}-${PART}-01` }];
    for (const headers of given) {
      const response = await sendTraced(api, '/health', headers);
      expect([...response.headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
    }
  });

  it('is that of the jobs that it adds, and not that of other jobs', async () => {
    const traceId = 'a'.repeat(32);
    const traceparent = `00-${traceId}-${PART}-01`;
    const headers = { traceparent, 'X-Request-Id': 'traced-creation' };
    expect((await sendTraced(api, '/domains/', headers, { name: 'traced.example' })).status).toBe(201);
    await sendTraced(api, '/domains/', { 'X-Request-Id': 'other-creation' }, { name: 'other.example' });
    await api.until(async () => api.output.split('"job":"domain.verify"').length === 3);
    const lines = (await linesWith(api, 'message', 'job')).filter(({ job }) => job === 'domain.verify');
    expect(lines.map(({ request_id, trace_id }) => [request_id, trace_id])).toEqual(
      expect.arrayContaining([
        ['traced-creation', traceId],
        ['other-creation', undefined],
      ]),
    );
  });
});
