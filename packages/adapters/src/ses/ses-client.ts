import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { AppError } from '@mailstead/core/errors';
import type { Meters } from '@mailstead/core/meters';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { RateLimiter, RateShare } from '../relay/rate-limiter.js';

export type SesSdk = typeof import('@aws-sdk/client-sesv2');

export interface SesClientOptions {
  /** Instead of AWS's endpoint of the region. */
  endpoint?: string | undefined;
  region: string;
  /** Left out: the SDK looks for them (environment, files, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  /** The most that one call may take, connecting and reading included, milliseconds. */
  timeoutMs: number;
}

interface Loaded {
  sdk: SesSdk;
  client: SESv2Client;
}

/**
 * Makes one call to SES: within the rate limit, without retries, and with a time limit. The SDK's own retries are off: they
 * bypass the rate limit, and treat a full account (`LimitExceededException`) as throttling. Jobs try again later.
 */
export class SesClient {
  private loaded: Promise<Loaded> | null = null;

  constructor(
    private readonly options: SesClientOptions,
    private readonly rateLimiter: RateLimiter,
    private readonly share: RateShare,
    private readonly meters: Meters,
  ) {}

  /**
   * @param send makes the call with the SDK and the client, and must pass the signal on.
   * @param meanings the results of errors that are definite answers of SES, by the name of the error.
   * @throws AppError relay_unavailable for every other error.
   */
  async call<T>(
    send: (loaded: Loaded, signal: AbortSignal) => Promise<T>,
    meanings: Record<string, T> = {},
    share = this.share,
  ): Promise<T> {
    const loaded = await this.load();
    await this.rateLimiter.take(share);
    try {
      return await this.withTimeout((signal) => send(loaded, signal));
    } catch (error) {
      const name = error instanceof loaded.sdk.SESv2ServiceException ? error.name : null;
      // An error page of a proxy has a status too, but not the name of an error of SES.
      if (name !== null && Object.hasOwn(meanings, name)) return meanings[name] as T;
      throw unavailable(error, name);
    }
  }

  /** Closes idle connections. A later call opens new ones. */
  async close(): Promise<void> {
    const { loaded } = this;
    this.loaded = null;
    if (loaded !== null) (await loaded).client.destroy();
  }

  private load(): Promise<Loaded> {
    this.loaded ??= import('@aws-sdk/client-sesv2').then((sdk) => ({ sdk, client: this.connect(sdk) }));
    return this.loaded;
  }

  private connect(sdk: SesSdk): SESv2Client {
    const { endpoint, region, credentials, timeoutMs } = this.options;
    const client = new sdk.SESv2Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        // Without it the time-out is only a warning in the log.
        throwOnRequestTimeout: true,
        socketTimeout: timeoutMs,
      },
    });
    this.measure(client);
    return client;
  }

  private measure({ middlewareStack }: SESv2Client): void {
    middlewareStack.add(
      (next, { commandName = 'unknown' }) =>
        async (args) => {
          const started = performance.now();
          const called = (outcome: string) =>
            this.meters.providerCall(
              commandName.replace(/Command$/, ''),
              outcome,
              (performance.now() - started) / 1_000,
            );
          try {
            const answer = await next(args);
            called('ok');
            return answer;
          } catch (error) {
            called(error instanceof Error ? error.name : 'unknown');
            throw error;
          }
        },
      { step: 'initialize', name: 'measure' },
    );
  }

  /** The SDK's time-outs do not cover loading the credentials, nor an answer that arrives slowly; this one covers all. */
  private async withTimeout<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    return withTimeout(send(abort.signal), this.options.timeoutMs, () => {
      setImmediate(() => abort.abort());
      throw new AppError('relay_unavailable', { detail: TOO_LATE });
    });
  }
}

const THROTTLED = new Set(['LimitExceededException', 'TooManyRequestsException', 'ThrottlingException', 'Throttling']);
const TOO_LATE = 'The relay provider did not answer in time; try again';

/** Partners read the sentence, so it has the name of the error, never its text, which may contain account ids. */
function unavailable(cause: unknown, serviceName: string | null): AppError {
  if (cause instanceof AppError) return cause;
  const detail = (text: string) => new AppError('relay_unavailable', { detail: text, cause });
  if (serviceName !== null && THROTTLED.has(serviceName)) {
    return detail('The relay provider takes no more requests at the moment, or its limit of domains is reached');
  }
  if (cause instanceof Error && cause.name === 'TimeoutError') return detail(TOO_LATE);
  if (serviceName !== null) return detail(`The relay provider answered with an error (${serviceName}); try again`);
  return new AppError('relay_unavailable', { cause });
}
