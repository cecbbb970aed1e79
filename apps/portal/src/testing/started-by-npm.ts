import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { freePort } from '../../../../scripts/free-port.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/portal\/enter#code=[A-Za-z0-9_-]{43}/g;
/** What follows the links. */
const END = 'Try:';

/** The service as `npm start` or `npm run demo` runs it on a terminal, with an empty data folder. */
export class StartedByNpm {
  private constructor(
    private readonly terminal: ChildProcess,
    private readonly dns: DnsServer,
    private readonly folder: string,
    readonly dataDir: string,
    readonly url: string,
    /** What a person clicks on in the terminal: the operator first. */
    readonly links: readonly string[],
  ) {}

  static async start(script: 'start' | 'demo' = 'start'): Promise<StartedByNpm> {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    const dataDir = join(folder, 'data');
    const [dns, port] = await Promise.all([DnsServer.start(), freePort()]);
    // `script` of util-linux makes the terminal without which no link is printed.
    const terminal = spawn('script', ['-qec', `'${process.execPath}' scripts/${script}.mjs`, '/dev/null'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm',
        DATA_DIR: dataDir,
        PORT: String(port),
        // No test asks a real name server. This one knows nothing.
        DNS_SERVERS: dns.address,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [links, url] = await linksIn(terminal);
    return new StartedByNpm(terminal, dns, folder, dataDir, url, links);
  }

  get link(): string {
    return this.links[0] ?? '';
  }

  async stop(): Promise<void> {
    const ended = once(this.terminal, 'close');
    process.kill(-Number(this.terminal.pid), 'SIGTERM');
    await ended;
    await this.dns.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** @throws Error with what was printed, when the program ends before it prints a link */
async function linksIn(terminal: ChildProcess): Promise<[links: string[], url: string]> {
  let printed = '';
  for await (const chunk of terminal.stdout ?? []) {
    printed += String(chunk);
    if (!printed.includes(END)) continue;
    const found = [...printed.matchAll(LINK)];
    const url = found[0]?.[1];
    // A stream that is no longer read would stop the program.
    if (url !== undefined) return [found.map(([link]) => link), url];
  }
  throw new Error(`No link was printed: ${printed}`);
}
