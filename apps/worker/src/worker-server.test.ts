import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthCheck, ShutdownCheck } from '@mailstead/core/health-check';
import { statusesOfMost } from '@mailstead/core/testing/pipelined-requests';
import { createWorkerServer } from './worker-server.js';

const METRICS_TOKEN = 'metrics-token-of-the-worker-0123456789';

class AwayCheck extends HealthCheck {
  override readonly name = 'queue';
  constructor(private readonly detail: string | null) {
    super();
  }

  override async problem(): Promise<string | null> {
    return this.detail;
  }
}

describe('the port of a worker', () => {
  let server: Server;
  let shutdown: ShutdownCheck;

  const start = async (check: HealthCheck): Promise<void> => {
    shutdown = new ShutdownCheck();
    const metrics = { registry: { contentType: 'text/plain' }, text: async () => 'mailstead_up 1' };
    server = createWorkerServer(
      { checks: [shutdown, check], shutdown, config: { metricsToken: METRICS_TOKEN } },
      metrics,
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
  };
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const get = async (path: string, token: string | null = null): Promise<[number, unknown]> => {
    const { port } = server.address() as AddressInfo;
    const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const text = await response.text();
    return [response.status, text.startsWith('{') ? JSON.parse(text) : text];
  };

  it('says what is wrong with METRICS_TOKEN alone', async () => {
    await start(new AwayCheck('Redis at 10.0.0.7 does not answer'));
    expect(await get('/health/ready')).toEqual([503, { status: 'unavailable' }]);
    expect(await get('/health/ready', `${METRICS_TOKEN}x`)).toEqual([401, { status: 'invalid_token' }]);
    expect(await get('/health/ready', METRICS_TOKEN)).toEqual([
      503,
      {
        status: 'unavailable',
        checks: [
          { name: 'shutdown', detail: null },
          { name: 'queue', detail: 'Redis at 10.0.0.7 does not answer' },
        ],
        warnings: [],
      },
    ]);
    expect(await get('/metrics')).toEqual([401, { status: 'invalid_token' }]);
    expect(await get('/metrics', METRICS_TOKEN)).toEqual([200, 'mailstead_up 1']);
    expect(await get('/health')).toEqual([200, { status: 'ok' }]);
    expect((await get('/other'))[0]).toBe(404);
  });

  it('runs one request of a connection, lets 32 wait, and ends the connection at one more', async () => {
    await start(new AwayCheck(null));
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    expect(await statusesOfMost(port, '/metrics', headers)).toEqual({
      statuses: Array(33).fill(200),
      isEndedByOneMore: true,
    });
  });

  it('is not ready as soon as the worker stops', async () => {
    await start(new AwayCheck(null));
    expect(await get('/health/ready')).toEqual([200, { status: 'ok' }]);
    shutdown.begin();
    expect(await get('/health/ready')).toEqual([503, { status: 'unavailable' }]);
  });
});
