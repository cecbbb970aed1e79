import type { LookupAddress } from 'node:dns';
import { promises as dns } from 'node:dns';
import { setMaxListeners } from 'node:events';
import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { type SendOptions, type SendResult, WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import type { Agent } from 'undici';
import { createGuardedAgent } from './guarded-agent.js';
import { webhookUrlProblem } from './webhook-url.js';

export interface SenderOptions {
  /** Whether an IP address may be connected to. */
  allow: (address: string) => boolean;
  /** DNS resolvers, `ip` or `ip:port`. When empty, those of the system. */
  dnsServers: string[];
  /** For one attempt, from the look-up to the end of what is read, milliseconds; the deadline by default. */
  timeoutMs?: number;
  resolve?: (host: string) => Promise<LookupAddress[]>;
  /** A certificate that is trusted besides those of Node. */
  ca?: string;
}

const DNS_TIMEOUT_MS = 2 * SECOND_MS;
/** Of header and body. Larger headers end the attempt. */
const MAX_RESPONSE_BYTES = 64 * 1_024;

/** Posts with `createGuardedAgent`, on a new connection each time. */
export class GuardedWebhookSender extends WebhookSender {
  private agent: Promise<Agent> | null = null;

  constructor(private readonly options: SenderOptions) {
    super();
  }

  /** Read for each attempt: the factor of the deadlines is set after this object is made. */
  private get timeoutMs(): number {
    return this.options.timeoutMs ?? deadline('webhookAnswer');
  }

  override refusalOf(url: string): string | null {
    return webhookUrlProblem(url, this.options.allow);
  }

  override async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    { readBytes, signal: stop }: SendOptions,
  ): Promise<SendResult | null> {
    const [{ request }, dispatcher] = await Promise.all([import('undici'), this.connect()]);
    // Node 20 keeps something of each `AbortSignal.any` as long as the signal of the process, which is for ever.
    const attempt = new AbortController();
    const end = () => attempt.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, this.timeoutMs);
    // One for each delivery that is on its way.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    const { signal } = attempt;
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher,
        reset: true,
        signal,
      });
      const { statusCode: status } = response;
      const answer = await beginningOf(response.body, readBytes);
      return { outcome: status >= 200 && status <= 299 ? 'ok' : 'status', status, answer };
    } catch (error) {
      if (stop.aborted) return null;
      return { outcome: isLate ? 'timeout' : outcomeOf(error), status: null, answer: '' };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  private connect(): Promise<Agent> {
    const { allow, dnsServers, resolve, ca } = this.options;
    this.agent ??= createGuardedAgent({
      allow,
      connectTimeoutMs: this.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      resolve: resolve ?? ((host) => resolveBoth(host, dnsServers)),
      ...(ca === undefined ? {} : { ca }),
    });
    return this.agent;
  }
}

/** Reads at most `bytes` and closes the connection, whatever more the server sends. */
async function beginningOf(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown; on(event: 'error', listener: () => void): unknown },
  bytes: number,
): Promise<string> {
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let read = 0;
  if (bytes > 0) {
    for await (const chunk of body) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= bytes) break;
    }
  }
  body.destroy();
  return Buffer.concat(chunks).subarray(0, bytes).toString('utf8');
}

/** Asks name servers itself, because the system's resolver runs on four threads, which slow names would keep busy. */
async function resolveBoth(host: string, servers: string[]): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = (result: PromiseSettledResult<string[]>, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  return [...found(v4, 4), ...found(v6, 6)];
}

function outcomeOf(error: unknown): 'timeout' | 'refused' | 'tls' {
  const code = codeOf(error);
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') return 'timeout';
  return /CERT|TLS|SSL|SIGNATURE|EPROTO|UNABLE_TO/.test(code) ? 'tls' : 'refused';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
