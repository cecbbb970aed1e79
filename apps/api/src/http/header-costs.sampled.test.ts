import { Agent, request as send } from 'node:http';
import { expectLinearCost } from '@mailstead/core/testing/linear-cost';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

/** Nearly all of the 16 kB that Node reads. */
const LONGEST = 15_000;

interface Asked {
  method: string;
  path: string;
  /** The headers beside the hostile one. */
  headers: Record<string, string>;
  body?: string;
}

const TOKEN = { Authorization: `Bearer ${MASTER}` };
const ME: Asked = { method: 'GET', path: '/me', headers: TOKEN };
const ASSET: Asked = { method: 'GET', path: '', headers: {} };
const CHANGE: Asked = {
  method: 'POST',
  path: '/domains/',
  headers: { ...TOKEN, 'Content-Type': 'application/json' },
  body: '{"name":"-"}',
};
const LOGIN: Asked = { method: 'POST', path: '/sessions', headers: TOKEN, body: '' };
const RELAY: Asked = {
  method: 'POST',
  path: '/webhooks/relay',
  headers: {
    'Content-Type': 'text/plain',
    'webhook-id': 'a',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,a',
  },
  body: '{}',
};

/** Each header that the API reads, with the requests by which it reads it. */
const READ: Record<string, Asked[]> = {
  Accept: [
    { ...ME, path: '/' },
    { ...ME, path: '/suppressions/?limit=1' },
  ],
  'Accept-Encoding': [ASSET],
  Authorization: [ME, LOGIN, CHANGE],
  'Content-Encoding': [CHANGE],
  'Content-Type': [CHANGE, RELAY],
  Cookie: [{ ...ME, headers: {} }, LOGIN],
  Expect: [ME],
  Forwarded: [LOGIN],
  Host: [LOGIN],
  'Idempotency-Key': [CHANGE],
  'If-None-Match': [ASSET],
  'Last-Event-ID': [{ ...ME, path: '/events/stream' }],
  Origin: [LOGIN],
  'Sec-Fetch-Site': [LOGIN],
  traceparent: [ME],
  'webhook-id': [RELAY],
  'webhook-signature': [RELAY],
  'webhook-timestamp': [RELAY],
  'X-CSRF-Token': [{ ...CHANGE, headers: { ...CHANGE.headers, Cookie: '__Host-mailstead=a' } }],
  'X-Forwarded-For': [ME, LOGIN],
  'X-Forwarded-Proto': [LOGIN],
  'X-Request-Id': [ME],
};
const PIECES = [
  'a',
  '0',
  '"a"',
  '127.0.0.1',
  'Bearer ',
  'text/csv',
  'application/json; charset',
  'br;q=0',
  '[::',
  'v1,',
];
const UNITS = [
  ' ',
  '\t',
  ',',
  ', ',
  ' ,',
  ';',
  '; ',
  '=',
  '"',
  '0',
  'a',
  '.',
  ':',
  '::',
  '1:',
  '%',
  '127.0.0.1,',
  '*,',
];

describe('a header of 15,000 characters', () => {
  let api: TestApi;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    api = await startTestApi('sqlite', { TRUST_PROXY: '127.0.0.1', RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    const page = await (await fetch(`${api.url}/portal/`)).text();
    ASSET.path = `/portal/assets/${/assets\/([^"]+\.js)/.exec(page)?.[1]}`;
  });
  afterAll(async () => {
    agent.destroy();
    await api.close();
  });

  /** Sends a request with the value as its header. */
  function ask({ method, path, headers, body }: Asked, name: string, value: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = send(api.url + path, { method, agent, headers: { ...headers, [name]: value } }, (response) => {
        response.resume().once('end', resolve).once('error', reject);
      });
      sent.once('error', reject).end(body);
    });
  }

  it('takes at most 2.5 times as long as one of half the length, whichever header it is', async () => {
    const hostile = fc.record({
      name: fc.constantFrom(...Object.keys(READ)),
      first: fc.constantFrom(...PIECES),
      units: fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 2 }),
      last: fc.constantFrom(...PIECES, '!'),
    });
    const blanks = Object.keys(READ).map((name) => ({ name, first: 'a', units: [' '], last: 'b' }));
    const property = fc.asyncProperty(hostile, async ({ name, first, units, last }) => {
      const unit = units.join('');
      const valueOf = (length: number) => first + unit.repeat(length / unit.length) + last;
      for (const asked of READ[name] ?? []) {
        await expectLinearCost(LONGEST, valueOf, (value) => ask(asked, name, value));
      }
    });
    await fc.assert(property, { numRuns: sampleSize(2_000, 60), examples: blanks.map((each) => [each]) });
  });
});
