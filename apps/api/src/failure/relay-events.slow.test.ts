import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestPlatform } from '../testing/platform.js';
import { postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const DOMAIN = 'storm.example';

/** Stores the received notifications, and refuses the first delivery of each. */
class Receiver {
  readonly taken: { id: string; type: string }[] = [];
  readonly refused = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        const known = receiver.refused.has(id);
        receiver.refused.add(id);
        if (known)
          receiver.taken.push({ id, type: (JSON.parse(Buffer.concat(chunks).toString()) as { type: string }).type });
        response.writeHead(known ? 204 : 500).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A permanent bounce of one message. Every delivery of it has the same bytes and the same id. */
function bounceOf(index: number) {
  const sentAt = new Date().toISOString();
  return {
    notificationType: 'Bounce',
    mail: {
      timestamp: sentAt,
      messageId: `message-${index}`,
      source: `news@${DOMAIN}`,
      destination: [`r${index}@example.net`],
    },
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: `r${index}@example.net` }],
      timestamp: sentAt,
      feedbackId: `feedback-${index}`,
    },
  };
}

describe('many bounces, while processes are killed', () => {
  let platform: TestPlatform;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    platform = await TestPlatform.start({
      SANDBOX_VERIFY_AFTER: '0',
      RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      NOTIFY_WEBHOOK_URL: receiver.url,
      NOTIFY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      NOTIFY_ALLOW_PRIVATE: 'true',
    });
    await platform.sendingDomain(DOMAIN);
    await platform.api.call('POST', `/domains/${DOMAIN}/outbound/increment`, { count: 10_000, record: true });
  });
  afterAll(async () => {
    await platform.stop();
    receiver.stop();
  });

  const bounces = async () => Number((await platform.api.call('GET', `/domains/${DOMAIN}/outbound`)).body.bounces);
  const pending = async () => {
    const [row] = await platform.sql<{ pending: string }>(
      'SELECT COUNT(*) AS pending FROM relay_event WHERE processed_at IS NULL',
    );
    return Number(row?.pending);
  };

  it('counts every acknowledged bounce once, whatever the number of deliveries, and blocks the domain once', async () => {
    const total = 900;
    const acknowledged = new Set<number>();
    let next = 0;
    const provider = async (): Promise<void> => {
      while (next < total) {
        const index = next;
        next += 1;
        const body = bounceOf(index);
        // Every third bounce is sent to both processes.
        const copies = index % 3 === 0 ? [0, 1] : [index % 2];
        for (const copy of copies) {
          const status = await postSigned((platform.apis[copy] ?? platform.api).url, body).catch(() => 0);
          if (status === 200) acknowledged.add(index);
        }
        if (index === 200) void platform.workers[0].end('SIGKILL');
        if (index === 400) void platform.apis[1].end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 16 }, provider));
    expect(acknowledged.size).toBeGreaterThan(400);
    expect(acknowledged.size).toBeLessThan(total);
    await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
    await platform.api.until(async () => (await pending()) === 0);
    const counted = await bounces();
    expect(counted).toBeGreaterThanOrEqual(acknowledged.size);
    expect(counted).toBeLessThanOrEqual(total);
    await platform.replaceApi(1);
    await platform.replaceWorker(0);
    // The provider sends bounces that were not acknowledged again.
    const missed = Array.from({ length: total }, (_, index) => index).filter((index) => !acknowledged.has(index));
    for (const index of missed)
      expect(await postSigned((platform.apis[index % 2] ?? platform.api).url, bounceOf(index))).toBe(200);
    await platform.api.until(async () => (await pending()) === 0);
    expect(await bounces()).toBe(total);
    const audit = (await platform.api.call('GET', `/audit?domain=${DOMAIN}`)).body as unknown as { action: string }[];
    expect(audit.filter(({ action }) => action === 'domain.outbound_block')).toHaveLength(1);
  });

  it('notifies of the block although the receiver refused at first and the worker was killed', async () => {
    await platform.api.until(async () => receiver.refused.size > 0);
    await Promise.all([platform.replaceWorker(0), platform.replaceWorker(1)]);
    await platform.api.until(async () => {
      // Lets the lease of a killed worker expire and makes the next attempt due.
      await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
      await platform.sql("UPDATE notification SET leased_until = NULL, next_attempt_at = 0 WHERE state = 'waiting'");
      await platform.sql("UPDATE job SET run_at = 0 WHERE state = 'waiting'");
      return receiver.taken.some(({ type }) => type === 'domain.outbound_blocked');
    });
    const blocks = new Set(receiver.taken.filter(({ type }) => type === 'domain.outbound_blocked').map(({ id }) => id));
    expect(blocks.size).toBe(1);
  });
});
