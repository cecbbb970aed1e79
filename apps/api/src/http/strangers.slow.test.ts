import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { CHILD_MASTER, type ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';

/** The requests of the partner that are measured. */
const CALLS = 200;
/** Before, a request waited for 6.5 to 15 s, some thousand times as long as without the stranger. */
const SLOWER = 100;
/** Before, it grew by more than a gigabyte, and did not shrink. Garbage takes up to 200 MB until it is collected. */
const GROWN_MB = 500;

/** A stranger that sends the same bytes on each of its connections, and again when one ends. */
class Attack {
  private isOn = true;
  private readonly ended: Promise<void>[];

  constructor(
    private readonly port: number,
    connections: number,
    private readonly bytes: string,
    private readonly reads: boolean,
  ) {
    this.ended = Array.from({ length: connections }, () => this.go());
  }

  async end(): Promise<void> {
    this.isOn = false;
    await Promise.all(this.ended);
  }

  private async go(): Promise<void> {
    while (this.isOn) {
      await new Promise<void>((resolve) => {
        const socket = connect(this.port, '127.0.0.1');
        const watch = setInterval(() => this.isOn || socket.destroy(), 20);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          clearInterval(watch);
          resolve();
        });
        if (this.reads) socket.resume();
        socket.write(this.bytes);
      });
    }
  }
}

const request = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\n${more}\r\n`;

describe('a partner beside a stranger', () => {
  const services = new ChildServices();
  let service: ChildService;
  let floorMs: number;
  /** The path of a script of the portal. */
  let asset: string;

  beforeAll(async () => {
    service = await services.start({ ...(await services.environment('sqlite')), TRUST_PROXY: '127.0.0.1' });
    asset = /\/portal\/assets\/[^"]+\.js/.exec(await (await fetch(`${service.url}/portal/`)).text())?.[0] ?? '';
    expect(asset).not.toBe('');
    await slowestOfMost();
    floorMs = await slowestOfMost();
  });
  afterAll(() => services.end());

  /** @returns the time that 95 of 100 requests of the partner take at most, milliseconds */
  async function slowestOfMost(): Promise<number> {
    const took: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const begun = performance.now();
      const { status } = await service.call('GET', '/me', undefined, CHILD_MASTER);
      expect(status).toBe(200);
      took.push(performance.now() - begun);
    }
    return took.toSorted((left, right) => left - right)[Math.floor(CALLS * 0.95)] ?? Number.POSITIVE_INFINITY;
  }

  function memoryMb(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1_024;
  }

  it.each([
    ['sends 1,500 requests at once on each of 4 connections', 4, request('/health/ready').repeat(1_500), true],
    [
      'asks 1,192 times for a file on each of 2 connections and reads nothing',
      2,
      request('/docs/swagger-ui-bundle.js').repeat(1_192),
      false,
    ],
    [
      'asks 32 times for a file on each of 20 connections and reads nothing',
      20,
      request('/docs/swagger-ui-bundle.js').repeat(32),
      false,
    ],
    [
      'sends a header of 15,000 blanks on each of 4 connections',
      4,
      request('ASSET', `If-None-Match: a${' '.repeat(15_000)}b\r\nConnection: close\r\n`),
      true,
    ],
  ])('waits little, and the service keeps its memory, while it %s', async (_, connections, sent, reads) => {
    const bytes = sent.replace('ASSET', asset);
    const before = memoryMb();
    const attack = new Attack(Number(new URL(service.url).port), connections, bytes, reads);
    const took = await slowestOfMost();
    const grown = memoryMb() - before;
    await attack.end();
    expect(took / floorMs).toBeLessThan(SLOWER);
    expect(grown).toBeLessThan(GROWN_MB);
  });
});
