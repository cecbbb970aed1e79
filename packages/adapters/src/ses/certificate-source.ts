import { type KeyObject, X509Certificate } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import { type Fetch, fetchText } from './bounded-fetch.js';

/** Loads the certificates of SNS. */
export abstract class CertificateSource {
  /**
   * @param url must be checked by the caller
   * @returns the public key of the certificate
   * @throws AppError relay_unavailable
   */
  abstract publicKey(url: string): Promise<KeyObject>;
}

/** SNS changes its certificate about once a year, so this is enough. */
const MAX_CACHED = 8;
/** Limits concurrent requests, because any unverified message can contain the URL of a certificate. */
const MAX_IN_FLIGHT = 8;

/** Fetches each certificate once and caches its key. Concurrent calls share one request. Failures are not cached. */
export class HttpsCertificateSource extends CertificateSource {
  private readonly cached = new Map<string, KeyObject>();
  private readonly fetching = new Map<string, Promise<KeyObject>>();

  constructor(private readonly fetch: Fetch = globalThis.fetch) {
    super();
  }

  override async publicKey(url: string): Promise<KeyObject> {
    const known = this.cached.get(url) ?? this.fetching.get(url);
    if (known !== undefined) return known;
    if (this.fetching.size >= MAX_IN_FLIGHT) throw unavailable(new Error('Too many certificates are being fetched'));
    const loading = this.load(url).finally(() => this.fetching.delete(url));
    this.fetching.set(url, loading);
    return loading;
  }

  private async load(url: string): Promise<KeyObject> {
    try {
      // The parser throws for an error page with status 200, so it is not cached.
      const { publicKey } = new X509Certificate(await fetchText(url, this.fetch));
      const [oldest] = this.cached.keys();
      if (this.cached.size >= MAX_CACHED && oldest !== undefined) this.cached.delete(oldest);
      this.cached.set(url, publicKey);
      return publicKey;
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('relay_unavailable', {
    detail: 'The certificate of SNS cannot be fetched now; send again',
    cause,
  });
}
