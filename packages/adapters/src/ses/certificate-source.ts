import { type KeyObject, X509Certificate } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import { type Fetch, fetchText } from './bounded-fetch.js';

/** Gets the certificates that SNS signs with. */
export abstract class CertificateSource {
  /** The public key of the certificate at a URL that was checked before. @throws AppError relay_unavailable */
  abstract publicKey(url: string): Promise<KeyObject>;
}

/** SNS changes its certificate about once a year. */
const MAX_CACHED = 8;
/** Anybody may send a message that names a certificate: the limit bounds the requests that this causes. */
const MAX_IN_FLIGHT = 8;

/** Fetches a certificate once, however many messages ask for it. A failure is not cached. */
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
      // An error page with status 200 fails here, before it is kept.
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
