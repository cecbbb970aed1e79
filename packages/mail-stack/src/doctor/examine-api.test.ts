import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineApi } from './examine-api.js';

describe('an API of an earlier release that was not restarted', () => {
  let server: Server;

  beforeAll(async () => {
    // The response of /health/ready in a release without warnings.
    server = createServer((_request, response) => response.end('{"status":"ok","version":"5.0.0","checks":[]}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  it('is reported by the doctor as an earlier release', async () => {
    const { port } = server.address() as AddressInfo;
    const settings = { api: { url: `http://127.0.0.1:${port}` } } as MailStackSettings;

    const [ready] = await examineApi(settings);

    expect(ready).toMatchObject({
      verdict: 'wrong',
      sentence: expect.stringContaining('of another release than this doctor'),
    });
  });
});

describe('an API without a running worker', () => {
  let server: Server;

  beforeAll(async () => {
    const warnings = [
      { name: 'worker', detail: 'No worker runs since 2026-03-15T12:00:00.000Z; jobs wait' },
      { name: 'schedules', detail: 'retention.purge missed 2026-03-15' },
      { name: 'of_a_later_release', detail: 'Something else' },
    ];
    server = createServer((_request, response) =>
      response.end(JSON.stringify({ status: 'ok', version: '5.1.0', checks: [], warnings })),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  it('is reported by the doctor, which names the worker and each other warning, with its consequence', async () => {
    const { port } = server.address() as AddressInfo;
    const settings = { api: { url: `http://127.0.0.1:${port}` } } as MailStackSettings;

    const [ready, ...findings] = await examineApi(settings);

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
});
