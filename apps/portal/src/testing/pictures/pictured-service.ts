import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { MX_HOSTS } from './invented.js';

export const MASTER = 'master-token-of-the-pictures-0123456789';
export const WEBHOOK_KEY = '5GkkGdgbQxdKcvOTZSz6t/Mmol4lYmEXGw4gSa8O8Jk=';

/** A built service whose clock can be set, so that it can have a past, with a name server of its own. */
export class PicturedService {
  private constructor(
    readonly url: string,
    readonly dns: DnsServer,
    private readonly folder: string,
    private readonly environment: Record<string, string>,
    private readonly dateFile: string,
    private child: Child,
    private present: Date,
  ) {}

  /** @param root the folder of the repository */
  static async start(root: string, at: Date): Promise<PicturedService> {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-pictures-'));
    const [dns, port] = await Promise.all([DnsServer.start(), freePort()]);
    const dateFile = join(folder, 'date');
    const environment = {
      NODE_OPTIONS: `--import=${join(root, 'scripts/settable-date.mjs')}`,
      SETTABLE_DATE: dateFile,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      MASTER_TOKEN: MASTER,
      SECRET_KEY: 'secret-key-of-the-pictures-0123456789',
      BCRYPT_COST: '4',
      // The pictures need many requests at once.
      RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      MX_HOSTS: MX_HOSTS.join(','),
      SPF_INCLUDE: 'spf.mailstead.example',
      DNS_SERVERS: dns.address,
      RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY}`,
      SANDBOX_VERIFY_AFTER: '1',
    };
    await setDate(dateFile, at);
    const url = `http://127.0.0.1:${port}`;
    const service = new PicturedService(url, dns, folder, environment, dateFile, new Child('api', environment), at);
    try {
      await service.isReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** The time that was set last. */
  date(): Date {
    return this.present;
  }

  async setDate(at: Date): Promise<void> {
    this.present = at;
    await setDate(this.dateFile, at);
  }

  /** Starts the process again with other settings and the same data. */
  async restart(settings: Record<string, string>): Promise<void> {
    await this.child.end('SIGTERM');
    Object.assign(this.environment, settings);
    this.child = new Child('api', this.environment);
    await this.isReady();
  }

  async until(holds: () => Promise<boolean>): Promise<void> {
    await this.child.until(holds);
  }

  /** Calls the API. @throws Error when the answer is not 2xx. */
  async call<Result = Record<string, unknown>>(
    method: string,
    path: string,
    { body, token = MASTER, headers = {} }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<Result> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Result;
  }

  async stop(): Promise<void> {
    await this.child.end('SIGTERM');
    await this.dns.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async isReady(): Promise<void> {
    await this.child.until(async () => (await fetch(`${this.url}/health/ready`)).ok);
  }
}

async function setDate(file: string, at: Date): Promise<void> {
  // The service may read the file at any moment.
  await writeFile(`${file}.new`, `${at.getTime()} ${Date.now()}`);
  await rename(`${file}.new`, file);
}
