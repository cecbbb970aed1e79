import { getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { GuardedWebhookSender } from './guarded-webhook-sender.js';
import { isPublicAddress, isPublicOutside } from './public-address.js';
import { makeCertificate } from './testing/certificate.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const NEVER = new AbortController().signal;
const HOST = 'hooks.rig.test';

describe('the sender of webhooks', () => {
  let server: Server;
  let ca: string;
  let handle: Handler;
  let requests: number;

  beforeAll(async () => {
    const { key, cert } = makeCertificate(HOST);
    ca = cert;
    server = createServer({ key, cert }, (request, response) => {
      requests += 1;
      handle(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    requests = 0;
  });

  const url = (path = '/') => `https://${HOST}:${(server.address() as AddressInfo).port}${path}`;
  const senderTo = (
    addresses: string[],
    options: Partial<ConstructorParameters<typeof GuardedWebhookSender>[0]> = {},
  ) =>
    new GuardedWebhookSender({
      allow: (address) => address === '127.0.0.1',
      dnsServers: [],
      timeoutMs: PATIENCE_MS,
      ca,
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ...options,
    });
  const post = (sender: GuardedWebhookSender, readBytes = 0, signal = NEVER) =>
    sender.post(url(), { 'content-type': 'application/json' }, '{"type":"webhook.test"}', { readBytes, signal });

  it('takes 2xx as success, everything else not, and follows no redirect', async () => {
    const sender = senderTo(['127.0.0.1']);
    const outcomes: unknown[] = [];
    for (const status of [200, 204, 301, 307, 404, 410, 500]) {
      handle = (_, response) => response.writeHead(status, { Location: url('/elsewhere') }).end('text');
      outcomes.push(await post(sender));
    }
    expect(outcomes).toEqual(
      [200, 204, 301, 307, 404, 410, 500].map((status) => ({
        outcome: status < 300 ? 'ok' : 'status',
        status,
        answer: '',
      })),
    );
    expect(requests).toBe(7);
  });

  it('connects to no address that is not allowed, also when only one of several is, and when the name changes', async () => {
    handle = (_, response) => response.end();
    const refused = { outcome: 'refused', status: null, answer: '' };
    expect(await post(senderTo(['127.0.0.1', '127.0.0.2']))).toEqual(refused);
    expect(await post(senderTo(['127.0.0.1'], { allow: isPublicAddress }))).toEqual(refused);
    expect(await post(senderTo(['::ffff:127.0.0.1'], { allow: isPublicAddress }))).toEqual(refused);
    let looks = 0;
    const rebinding = senderTo([], {
      // Allowed while the name is looked up, and forbidden on the socket.
      allow: () => (looks += 1) === 1,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await post(rebinding)).toEqual(refused);
    expect(requests).toBe(0);
  });

  it('reads at most as much of an answer as it was asked for, however long it is', async () => {
    let written = 0;
    handle = (_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
        response.once('drain', write);
      };
      write();
    };
    const sender = senderTo(['127.0.0.1']);
    expect(await post(sender, 4_096)).toEqual({ outcome: 'ok', status: 200, answer: 'x'.repeat(4_096) });
    expect(await post(sender)).toEqual({ outcome: 'ok', status: 200, answer: '' });
    expect(written).toBeLessThan(8 * 1_024 * 1_024);
  });

  it('ends an attempt that is not answered in time, also while the answer trickles', async () => {
    handle = () => undefined;
    const sender = senderTo(['127.0.0.1'], { timeoutMs: 1_000 });
    expect(await post(sender)).toMatchObject({ outcome: 'timeout', status: null });
    handle = (_, response) => {
      response.writeHead(200);
      response.write('{');
    };
    expect(await post(sender, 4_096)).toMatchObject({ outcome: 'timeout' });
  });

  it('tells a wrong certificate from a refused connection, and a stop from both', async () => {
    handle = (_, response) => response.end();
    const { ca: _, ...untrusting } = { ca, resolve: async () => [{ address: '127.0.0.1', family: 4 as const }] };
    const strict = new GuardedWebhookSender({
      allow: () => true,
      dnsServers: [],
      timeoutMs: PATIENCE_MS,
      ...untrusting,
    });
    expect(await post(strict)).toMatchObject({ outcome: 'tls' });
    const closed = senderTo(['127.0.0.1']);
    const options = { readBytes: 0, signal: NEVER };
    expect(await closed.post(`https://${HOST}:1/`, {}, '', options)).toMatchObject({ outcome: 'refused' });
    expect(await post(closed, 0, AbortSignal.abort())).toBeNull();
  });

  it('leaves nothing of an attempt on the signal that stops all attempts of a process', async () => {
    const { signal } = new AbortController();
    const sender = senderTo(['127.0.0.1']);
    let during: number | undefined;
    handle = (_, response) => {
      during = getEventListeners(signal, 'abort').length;
      response.end();
    };
    await post(sender, 0, signal);
    // A signal that depends on the other, as of `AbortSignal.any`, would be no listener, and stays in it for ever.
    expect([during, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
  });

  it('allows no address of IPv6 that contains one of IPv4, or that nobody was given', () => {
    const mapped = ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a00:1', '::127.0.0.1', '::a00:1', '::2:3'];
    const translated = ['64:ff9b::a00:1', '64:ff9b:1::a00:1', '::ffff:0:a00:1', '2002:a00:1::', '2001:0:a00:1::'];
    const own = ['fd00::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '::', '::1'];
    const unassigned = ['100::1', '100:0:0:1::1', '1000::1', '4000::1', '3fff::1', '5f00::1', '2001:db8::1'];
    expect([...mapped, ...translated, ...own, ...unassigned].filter(isPublicAddress)).toEqual([]);
    expect(isPublicAddress('::ffff:93.184.216.34')).toBe(true);
    expect(isPublicOutside(['93.184.216.0/24'])('::ffff:93.184.216.34')).toBe(false);
  });

  it('allows public addresses outside the denied networks', () => {
    const allow = isPublicOutside(['198.18.0.0/15', '203.0.113.7', '2001:4860::/32']);
    const addresses = ['93.184.216.34', '203.0.113.7', '10.0.0.1', '2001:4860::1', '2606:4700::1', '::1', 'no'];
    expect(addresses.filter(allow)).toEqual(['93.184.216.34', '2606:4700::1']);
  });
});
