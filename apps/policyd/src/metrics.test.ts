import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from './logger.js';
import { PolicydMetrics } from './metrics.js';

it('the metrics contain those of the process and of Node.js, none with the name of another type', async () => {
  const levels = {
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
  const server = new PolicydMetrics(createLogger('error')).server(levels).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toMatch(/^mailstead_policy_connections 2$/m);
    expect(text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds \S+$/m);
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
