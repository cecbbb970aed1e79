import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notification } from '@mailstead/core/notifications/notification-channel';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { Webhook } from 'standardwebhooks';
import { isPublicAddress } from './public-address.js';
import { WebhookChannel, type WebhookChannelOptions } from './webhook-channel.js';

const SECRET = `whsec_${Buffer.from('a key of the receiver and of us').toString('base64')}`;

const notification: Notification = {
  id: 'b7c5b7a2-0001-4000-8000-000000000001',
  type: 'domain.outbound_blocked',
  at: new Date('2026-03-15T11:59:58.123Z'),
  data: { domain: 'example.com', partner_ref: 'p-1', reason: 'bounce_rate' },
};

describe('notifications by webhook', () => {
  let receiver: Server;
  let url: string;
  let received: { headers: IncomingMessage['headers']; body: string; method: string | undefined }[];
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    received = [];
    answer = (response) => response.writeHead(204).end();
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { headers, method } = request;
        received.push({ headers, method, body: Buffer.concat(chunks).toString() });
        answer(response);
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterEach(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await once(receiver, 'close');
  });

  // The independent receiver compares the signed time with the current time.
  const clock = new FixedClock(new Date());
  const aChannel = (options: Partial<WebhookChannelOptions> = {}) =>
    new WebhookChannel({ url, secret: SECRET, allow: () => true, timeoutMs: 5_000, ...options }, clock);

  test('are signed so that an independent receiver accepts them', async () => {
    expect(await aChannel().deliver(notification)).toBe('delivered');
    const [{ headers, body, method } = { headers: {}, body: '', method: '' }] = received;
    expect(method).toBe('POST');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['webhook-id']).toBe(notification.id);
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual({
      type: 'domain.outbound_blocked',
      timestamp: '2026-03-15T11:59:58.123',
      data: { domain: 'example.com', partner_ref: 'p-1', reason: 'bounce_rate' },
    });
    const other = new Webhook(`whsec_${Buffer.from('another key').toString('base64')}`);
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow('No matching signature found');
  });

  test('have the same id and body at each attempt, and the time of the attempt', async () => {
    const channel = aChannel();
    await channel.deliver(notification);
    clock.advance(60_000);
    await channel.deliver(notification);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const [first = 0, second = 0] = received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(second - first).toBe(60);
  });

  test('return `gone` after a 410', async () => {
    answer = (response) => response.writeHead(410).end('no more');
    expect(await aChannel().deliver(notification)).toBe('gone');
  });

  test.each([400, 404, 429, 500, 503])('fail on %d', async (status) => {
    answer = (response) => response.writeHead(status).end('trouble');
    await expect(aChannel().deliver(notification)).rejects.toThrow(`The receiver answered ${status}`);
  });

  test('follow no redirect', async () => {
    answer = (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
    await expect(aChannel().deliver(notification)).rejects.toThrow('The receiver answered 307');
    expect(received).toHaveLength(1);
  });

  test('fail when the receiver does not respond, or does not end its response', async () => {
    const impatient = () => aChannel({ timeoutMs: 150 });
    answer = () => {};
    await expect(impatient().deliver(notification)).rejects.toThrow('no answer within 150 ms');
    answer = (response) => response.writeHead(200).write('a');
    await expect(impatient().deliver(notification)).rejects.toThrow('no answer within 150 ms');
  });

  test('fail when the response is too long', async () => {
    answer = (response) => response.writeHead(200).end('x'.repeat(1024 * 1024));
    await expect(aChannel().deliver(notification)).rejects.toThrow('exceeded');
  });

  test('fail when the connection is closed or refused', async () => {
    answer = (response) => response.destroy();
    await expect(aChannel().deliver(notification)).rejects.toThrow('The receiver could not be reached');
    receiver.close();
    await once(receiver, 'close');
    await expect(aChannel().deliver(notification)).rejects.toThrow('The receiver could not be reached');
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });

  test('are never sent to a private address, in any notation or by name', async () => {
    const { port } = new URL(url);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f000001',
      '2130706433',
      '0.0.0.0',
    ]) {
      const guarded = aChannel({ url: `http://${host}:${port}/`, allow: isPublicAddress });
      await expect(guarded.deliver(notification)).rejects.toThrow('is not a public address');
    }
    expect(received).toEqual([]);
  });

  test('are not sent when the address of the open connection is not allowed', async () => {
    const { port } = new URL(url);
    const asked: string[] = [];
    // Allows the address of the look-up, but not the address of the open socket.
    const allow = (address: string) => asked.push(address) === 1;
    const outrun = aChannel({ url: `http://127.0.0.1:${port}/`, allow });
    await expect(outrun.deliver(notification)).rejects.toThrow('is not a public address');
    expect(asked).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(received).toEqual([]);
  });

  test.each([
    ['93.184.216.34', true],
    ['2606:2800:220:1::1', true],
    ['::ffff:93.184.216.34', true],
    ['10.0.0.1', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['127.0.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::a00:1', false],
    ['2002:a00:1::', false],
    ['', false],
    ['example.com', false],
  ])('%j is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });
});
