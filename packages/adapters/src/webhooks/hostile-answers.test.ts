import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { signedHeaders } from '@mailstead/core/webhooks/sign-webhook';
import { Webhook } from 'standardwebhooks';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { GuardedWebhookSender } from './guarded-webhook-sender.js';
import { makeCertificate } from './testing/certificate.js';

const HOST = 'hooks.rig.test';
const NEVER = new AbortController().signal;
const SECRET = `whsec_${Buffer.from('a secret of the tests of the sender').toString('base64')}`;
const BODY = '{"id":7,"type":"domain.created","subject":"größe.example"}';
/** What the buffers of both ends take, with much room, is less than this; an endless answer is soon more. */
const MOST_WRITTEN = 32 * 1_024 * 1_024;
const OK = 'HTTP/1.1 200 OK\r\n';

type Answer = (socket: TLSSocket) => void;

describe('a server that answers webhooks with ill intent', () => {
  let server: Server;
  let ca: string;
  let answer: Answer;
  let got: string;
  let written: number;
  const sockets = new Set<TLSSocket>();

  beforeAll(async () => {
    const { key, cert } = makeCertificate(HOST);
    ca = cert;
    server = createServer({ key, cert }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', () => answer(socket));
      socket.on('data', (chunk: Buffer) => {
        got += chunk.toString();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  beforeEach(() => {
    [got, written] = ['', 0];
  });

  function post(timeoutMs: number, readBytes = 4_096) {
    const sender = new GuardedWebhookSender({
      allow: (address) => address === '127.0.0.1',
      dnsServers: [],
      timeoutMs,
      ca,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const headers = signedHeaders('7-1', new Date(), BODY, [SECRET]);
    const url = `https://${HOST}:${(server.address() as AddressInfo).port}/`;
    return sender.post(url, headers, BODY, { readBytes, signal: NEVER });
  }
  const says =
    (...texts: (string | Buffer)[]): Answer =>
    (socket) => {
      for (const text of texts) socket.write(text);
    };
  /** Writes a beginning, and then the same text for as long as the other side reads. */
  const goesOn =
    (beginning: string, text: string): Answer =>
    (socket) => {
      const chunk = text.repeat(Math.ceil(16_384 / text.length));
      socket.write(beginning);
      const write = () => {
        while (!socket.destroyed) {
          written += chunk.length;
          if (!socket.write(chunk)) break;
        }
        socket.once('drain', write);
      };
      write();
    };

  it('gets the headers of Standard Webhooks, which ask for no compression, and a body that they sign', async () => {
    answer = says(`${OK}Content-Length: 0\r\n\r\n`);
    expect(await post(PATIENCE_MS)).toMatchObject({ outcome: 'ok', status: 200 });
    const [head = '', body = ''] = got.split('\r\n\r\n');
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(BODY));
    expect(Object.keys(headers).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });

  it.each<[string, Answer]>([
    ['headers', goesOn(OK, `X-Filler: ${'x'.repeat(100)}\r\n`)],
    ['a header', goesOn(`${OK}X-Filler: `, 'x')],
    ['a status line', goesOn('HTTP/1.1 200 ', 'x')],
    ['interim answers', goesOn('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
    ['answers that tell it to continue', goesOn('', 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['the extension of a chunk', goesOn(`${OK}Transfer-Encoding: chunked\r\n\r\n5;`, 'x')],
    ['what is after the last chunk', goesOn(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-Filler: x\r\n')],
    ['what is no HTTP', goesOn('', 'x')],
  ])('is not read any more when %s goes on without an end', async (_, endless) => {
    answer = endless;
    const result = await post(PATIENCE_MS);
    expect(result).toMatchObject({ outcome: 'refused', status: null, answer: '' });
    expect(written).toBeLessThan(MOST_WRITTEN);
  });

  it('is not waited for longer than the attempt lasts, however slowly it writes', async () => {
    answer = (socket) => {
      socket.write(OK);
      const drip = setInterval(() => socket.write('X-Drop: x\r\n'), 50);
      socket.on('close', () => clearInterval(drip));
    };
    expect(await post(1_000)).toEqual({ outcome: 'timeout', status: null, answer: '' });
  });

  it.each<[string, Answer]>([
    ['another protocol', says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')],
    ['two lengths', says(`${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`)],
    ['a negative length', says(`${OK}Content-Length: -1\r\n\r\nhello`)],
    ['the end of the connection', (socket) => void socket.end()],
    ['half a header', (socket) => void socket.end(`${OK}X-Half`)],
  ])('has refused a delivery when it answers with %s', async (_, wrong) => {
    answer = wrong;
    expect(await post(PATIENCE_MS)).toEqual({ outcome: 'refused', status: null, answer: '' });
  });

  it('cannot make a small answer large: it is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1_024 * 1_024));
    const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    answer = says(head, bomb);
    const result = await post(PATIENCE_MS);
    expect(result).toMatchObject({ outcome: 'ok', status: 200 });
    expect(result?.answer).toBe(bomb.subarray(0, 4_096).toString('utf8'));
    expect(await post(PATIENCE_MS, 0)).toMatchObject({ outcome: 'ok', answer: '' });
  });
});
