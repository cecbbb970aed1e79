import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { AppError } from '@mailstead/core/errors';
import type { Meters } from '@mailstead/core/meters';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { RateLimiter, RateShare } from '../relay/rate-limiter.js';

export type SesSdk = typeof import('@aws-sdk/client-sesv2');

export interface SesClientOptions {
  /** Replaces AWS's endpoint of the region. */
  endpoint?: string | undefined;
  region: string;
  /** Without them, the SDK finds credentials in the environment, files or the instance role. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  /** The time limit of one call, from connecting to the end of the response, milliseconds. */
  timeoutMs: number;
}

interface Loaded {
  sdk: SesSdk;
  client: SESv2Client;
}

/**
 * Calls SES within the rate limit and a time limit. The SDK's retries are off, because they bypass the rate limit and
 * treat a full account (`LimitExceededException`) as throttling. Jobs retry later.
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
   * @param send makes the call, and must pass the signal to the SDK
   * @param meanings results to return for expected errors, by the name of the error, such as `NotFoundException`
   * @throws AppError relay_unavailable for every other error
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
      // Only an error of SES has such a name; the error page of a proxy has only a status.
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
        // Without this, the SDK only logs a warning after `requestTimeout`.
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
            const response = await next(args);
            called('ok');
            return response;
          } catch (error) {
            called(error instanceof Error ? error.name : 'unknown');
            throw error;
          }
        },
      { step: 'initialize', name: 'measure' },
    );
  }

  /** Limits the whole call: the SDK's time-outs cover neither the loading of credentials nor a slow response. */
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

/**
 * The detail contains the name of the error, but not its message: partners read it, and the message may contain account
 * ids.
 */
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
