import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statusesOfMost } from '@mailstead/core/testing/pipelined-requests';
import { createLogger } from './logger.js';
import { PolicydMetrics } from './metrics.js';

const LEVELS = {
  policyConnections: () => 2,
  framedConnections: () => 1,
  milterConnections: () => 0,
  journalEntries: () => 0,
  runningLogins: () => 0,
  waitingLogins: () => 0,
  trailBehindSeconds: () => 0,
  trailMessages: () => 0,
  trailAmbiguousLines: () => 0,
};

describe('the port of the metrics', () => {
  let server: Server;
  let port: number;

  beforeEach(async () => {
    server = new PolicydMetrics(createLogger('error')).server(LEVELS).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('has those of the process and of Node.js, none with the name of another type', async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toMatch(/^mailstead_policy_connections 2$/m);
    expect(text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds \S+$/m);
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('runs one request of a connection, lets 32 wait, and ends the connection at one more', async () => {
    expect(await statusesOfMost(port, '/metrics')).toEqual({ statuses: Array(33).fill(200), isEndedByOneMore: true });
  });
});
