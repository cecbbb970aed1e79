import { type KeyObject, X509Certificate } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import { type Fetch, fetchText } from './bounded-fetch.js';

/** Where the certificates that SNS signs with come from. */
export abstract class CertificateSource {
  /** The public key of the certificate at a URL that was checked before. @throws AppError relay_unavailable */
  abstract publicKey(url: string): Promise<KeyObject>;
}

/** SNS changes its certificate about once a year. */
const MAX_CACHED = 8;
/** Anybody may name certificates that do not exist; they shall not keep us busy without end. */
const MAX_IN_FLIGHT = 8;

/** Fetches a certificate once, however many messages ask for it; a failure is forgotten at once. */
export class HttpsCertificateSource extends CertificateSource {
  private readonly cached = new Map<string, KeyObject>();
  private readonly flights = new Map<string, Promise<KeyObject>>();

  constructor(private readonly fetch: Fetch = globalThis.fetch) {
    super();
  }

  override async publicKey(url: string): Promise<KeyObject> {
    const known = this.cached.get(url) ?? this.flights.get(url);
    if (known !== undefined) return known;
    if (this.flights.size >= MAX_IN_FLIGHT) throw notToBeHad(new Error('Too many certificates are being fetched'));
    const flight = this.load(url).finally(() => this.flights.delete(url));
    this.flights.set(url, flight);
    return flight;
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
      throw notToBeHad(cause);
    }
  }
}

function notToBeHad(cause: unknown): AppError {
  return new AppError('relay_unavailable', { detail: 'The certificate of SNS cannot be had now; send again', cause });
}
