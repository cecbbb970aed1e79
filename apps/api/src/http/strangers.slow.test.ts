import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { type ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';
import { type Attack, PlainServer, Stranger, slowestOfMost } from '../testing/stranger.js';

/** The requests of the partner that are measured in a round. */
const CALLS = 150;
/** Each round measures the partner beside the same attack on another process, and beside the one on the service. */
const FEWEST_ROUNDS = 3;
/** What the service adds is there in most rounds, what other programs of the machine take is not. */
const MOST_ROUNDS = 15;
const SLOWER = 2;
const LARGER = 2;

const KEY = 'key-of-acme-0123456789-0123456789';
const OTHER_KEY = 'key-of-other-0123456789-0123456789';
const OTHER_DOMAIN = 'blanks.example';

const SENDER = 'Host: a\r\nX-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n';
const CLOSE = 'Connection: close\r\n';

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${SENDER}${more}\r\n`;

/** Sends 32,000 field names that no body has. */
function post(path: string): Buffer {
  const names = Array.from({ length: 32_000 }, (_, index) => [`f${index.toString(36)}`, 1]);
  const body = brotliCompressSync(JSON.stringify(Object.fromEntries(names)));
  const type = `Content-Type: application/json\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n`;
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${SENDER}${CLOSE}${type}\r\n`), body]);
}

/** As many as may wait on one connection. */
const pipelined = (path: string) => ask(path).repeat(32) + ask(path, CLOSE);

const READY = '/health/ready';
const FILE = '/docs/swagger-ui-bundle.js';

/** Each `bytes` gets the path of a script of the portal. */
const ATTACKS: [string, number, (asset: string) => string | Buffer, boolean][] = [
  [
    'sends 32,000 field names in brotli to /sessions/preview on 4 connections',
    4,
    () => post('/sessions/preview'),
    true,
  ],
  ['sends 32,000 field names in brotli to /sessions on 4 connections', 4, () => post('/sessions'), true],
  ['asks 1,500 times at once for readiness on one connection', 1, () => ask(READY).repeat(1_500), true],
  ['asks 1,500 times at once for readiness on each of 4 connections', 4, () => ask(READY).repeat(1_500), true],
  ['asks 33 times at once for readiness on each of 4 connections', 4, () => pipelined(READY), true],
  ['asks 1,192 times for a file on each of 2 connections and reads nothing', 2, () => ask(FILE).repeat(1_192), false],
  ['asks 33 times for a file on each of 20 connections and reads nothing', 20, () => pipelined(FILE), false],
  [
    'sends a header of 15,000 blanks on each of 4 connections',
    4,
    (asset) => ask(asset, `If-None-Match: a${' '.repeat(15_000)}b\r\n${CLOSE}`),
    true,
  ],
  [
    'checks on 4 connections a domain of its own that has a TXT record of 60,000 blanks',
    4,
    () => ask(`/domains/${OTHER_DOMAIN}/dns-check`, `Authorization: Bearer ${OTHER_KEY}\r\n${CLOSE}`),
    true,
  ],
];

describe('a partner beside a stranger', () => {
  const services = new ChildServices();
  let dns: DnsServer;
  let elsewhere: PlainServer;
  let service: ChildService;
  let asset: string;
  let idleKb: number;

  beforeAll(async () => {
    dns = await DnsServer.start();
    const blanks = Array<string>(240).fill(' '.repeat(250));
    dns.txt(OTHER_DOMAIN, blanks).fault('TXT', OTHER_DOMAIN, 'truncate');
    elsewhere = await PlainServer.start(dns.address);
  });
  beforeEach(async () => {
    const database = await services.environment('sqlite');
    service = await services.start({ ...database, TRUST_PROXY: '127.0.0.1', DNS_SERVERS: dns.address });
    asset = /\/portal\/assets\/[^"]+\.js/.exec(await (await fetch(`${service.url}/portal/`)).text())?.[0] ?? '';
    expect(asset).not.toBe('');
    for (const [token, partner] of Object.entries({ [KEY]: 'acme', [OTHER_KEY]: 'other' }))
      expect((await service.call('POST', '/api-keys/', { token, partner_ref: partner })).status).toBe(201);
    expect((await service.call('POST', '/domains/', { name: OTHER_DOMAIN }, OTHER_KEY)).status).toBe(201);
    await measured();
    await measured();
    idleKb = memory('VmRSS');
  });
  afterEach(() => services.end());
  afterAll(async () => {
    await elsewhere.end();
    await dns.close();
  });

  const measured = () => slowestOfMost(`${service.url}/me`, KEY, CALLS);

  /** The time of the partner's requests while a stranger attacks the server with this port. */
  async function slowestBeside(port: number, attack: Attack): Promise<number> {
    const stranger = await Stranger.start(port, attack);
    try {
      return await measured();
    } finally {
      await stranger.end();
    }
  }

  /** @returns the memory of the service, kB: now, or the most since its start */
  function memory(which: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]);
  }

  it.each(ATTACKS)(
    'waits at most twice as long as beside an attack on another process, and the memory at most doubles, while it %s',
    async (_, connections, bytesFor, reads) => {
      const attack = { connections, bytes: Buffer.from(bytesFor(asset)), reads };
      const floors: number[] = [];
      const waits: number[] = [];
      let ratio = Number.POSITIVE_INFINITY;
      while (waits.length < FEWEST_ROUNDS || (waits.length < MOST_ROUNDS && ratio > SLOWER)) {
        floors.push(await slowestBeside(elsewhere.port, attack));
        waits.push(await slowestBeside(Number(new URL(service.url).port), attack));
        ratio = median(waits) / median(floors);
      }
      expect(ratio).toBeLessThanOrEqual(SLOWER);
      expect(memory('VmHWM') / idleKb).toBeLessThan(LARGER);
    },
  );
});

const sorted = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;
