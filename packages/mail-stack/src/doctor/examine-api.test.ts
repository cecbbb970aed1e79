import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineApi } from './examine-api.js';
import type { Finding } from './finding.js';

const TOKEN = 'metrics-token-of-the-doctor-0123456789';
const SHORT = { status: 'ok', version: '5.1.0' };

describe('the API', () => {
  let server: Server;
  let folder: string;
  let whole: object;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    server = createServer((request, response) => {
      const { authorization } = request.headers;
      const isRight = authorization === `Bearer ${TOKEN}`;
      response.statusCode = isRight || authorization === undefined ? 200 : 401;
      response.end(JSON.stringify(isRight ? whole : SHORT));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  /** Examines with a file of tokens of this content; null: without a file. */
  async function examine(tokens: string | null): Promise<Finding[]> {
    const { port } = server.address() as AddressInfo;
    const tokenFile = join(folder, tokens === null ? 'absent.env' : 'tokens.env');
    if (tokens !== null) await writeFile(tokenFile, tokens, { mode: 0o600 });
    return await examineApi({ api: { url: `http://127.0.0.1:${port}` }, doctor: { tokenFile } } as MailStackSettings);
  }

  it('of an earlier release that was not restarted is reported as such', async () => {
    // The response of /health/ready in a release without warnings.
    whole = { ...SHORT, checks: [] };
    expect((await examine(`METRICS_TOKEN=${TOKEN}\n`))[0]).toMatchObject({
      verdict: 'wrong',
      sentence: expect.stringContaining('of another release than this doctor'),
    });
  });

  it('without a running worker is reported with the worker and each other warning, and its consequence', async () => {
    const warnings = [
      { name: 'worker', detail: 'No worker runs since 2026-03-15T12:00:00.000Z; jobs wait' },
      { name: 'schedules', detail: 'retention.purge missed 2026-03-15' },
      { name: 'of_a_later_release', detail: 'Something else' },
    ];
    whole = { ...SHORT, checks: [], warnings };
    const [ready, ...findings] = await examine(`POLICY_TOKEN=x\nMETRICS_TOKEN=${TOKEN}\n`);
    expect(ready).toMatchObject({ verdict: 'ok' });
    expect(findings.map(({ verdict, sentence }) => [verdict, sentence]).slice(0, 3)).toEqual([
      [
        'wrong',
        expect.stringMatching(/No worker runs since 2026-03-15T12:00:00\.000Z; jobs wait; nothing is verified,/),
      ],
      ['wrong', expect.stringMatching(/retention\.purge missed 2026-03-15; what it does for all domains/)],
      ['wrong', expect.stringMatching(/warns: Something else; see its log/)],
    ]);
  });

  it.each([
    ['POLICY_TOKEN=x\n', /is ready\. What it warns of is not known: \S+tokens\.env has no METRICS_TOKEN\.$/],
    [null, /is ready\. What it warns of is not known: ENOENT.*\.$/],
  ])('is known to be ready, and not what it warns of, with the tokens %j', async (tokens, sentence) => {
    expect((await examine(tokens))[0]).toEqual({ verdict: 'warning', sentence: expect.stringMatching(sentence) });
  });

  it('that has another METRICS_TOKEN is reported', async () => {
    expect((await examine('METRICS_TOKEN=another\n'))[0]).toEqual({
      verdict: 'wrong',
      sentence: expect.stringMatching(/has a problem: its METRICS_TOKEN is not that of \S+tokens\.env$/),
    });
  });
});
