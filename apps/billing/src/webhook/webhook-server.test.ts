import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestText, statusesOf, statusesOfMost } from '@mailstead/core/testing/pipelined-requests';
import { Alarms } from '../alarms.js';
import { createLogger } from '../logger.js';
import { BillingMetrics } from '../metrics.js';
import { webhookServer } from './webhook-server.js';

describe('of one connection', () => {
  const alarms = new Alarms(createLogger('error'));
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('Stripe’s server handles one event at a time, lets 32 requests wait, and ends the connection at one more', async () => {
    let running = 0;
    let mostAtOnce = 0;
    const receiver = {
      execute: async () => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return { status: 200 as const, sentence: 'Done' };
      },
    };
    const port = await listen(webhookServer(receiver, 65));
    const event = (isLast: boolean) => requestText('/webhooks/stripe', { body: '{}', isLast });
    expect(await statusesOf(port, [...Array<string>(5).fill(event(false)), event(true)])).toEqual(Array(6).fill(200));
    expect(mostAtOnce).toBe(1);
    expect(await statusesOfMost(port, '/health')).toEqual({ statuses: Array(33).fill(200), isEndedByOneMore: true });
  });

  it('Stripe’s server keeps it for the next event as long as KEEP_ALIVE_SECONDS says, longer than a balancer does', async () => {
    const receiver = { execute: async () => ({ status: 200 as const, sentence: 'Done' }) };
    const port = await listen(webhookServer(receiver, 605));
    const { headers } = await fetch(`http://127.0.0.1:${port}/health`);
    expect(headers.get('keep-alive')).toBe('timeout=605');
  });

  it('the server of the metrics answers one request, lets 32 wait, and ends the connection at one more', async () => {
    const port = await listen(new BillingMetrics(alarms).server());
    expect(await statusesOfMost(port, '/metrics')).toEqual({ statuses: Array(33).fill(200), isEndedByOneMore: true });
  });
});
