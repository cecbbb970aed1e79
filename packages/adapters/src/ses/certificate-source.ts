import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { PartnerQueue, type QueueBounds } from '@mailstead/core/limits/partner-queue';
import { type Fetch, fetchText } from './bounded-fetch.js';

/** Loads the certificates of SNS. */
export abstract class CertificateSource {
  /**
   * @param url must be checked by the caller
   * @param sender the address that sent the message, which is not verified yet
   * @returns the public key of the certificate
   * @throws AppError relay_unavailable
   */
  abstract publicKey(url: string, sender: string): Promise<KeyObject>;
  /** Keeps the certificate, because a message was verified with it. Never rejects. */
  abstract verified(url: string): Promise<void>;
}

export interface StoredCertificate {
  url: string;
  pem: string;
}

/** Stores the certificate with which a message was verified last. */
export interface CertificateStore {
  read(): Promise<StoredCertificate | null>;
  save(certificate: StoredCertificate): Promise<void>;
}

interface Certificate extends StoredCertificate {
  key: KeyObject;
  validFrom: number;
  validTo: number;
}

/** SNS changes its certificate about once a year, so this is enough. */
const MAX_FETCHED = 8;

/**
 * Of certificates that verified nothing yet: any unverified message can name one. SNS waits 15 s for the answer. The
 * bounds of a partner are those of an address.
 */
const TURNS: QueueBounds = {
  workers: 2,
  runningPerPartner: 1,
  waitingPerPartner: 50,
  waiting: 200,
  waitMs: 8 * SECOND_MS,
};

/**
 * Fetches each certificate once. The one that verified a message last is stored, and waits for no other. All others
 * share two fetches at a time, one for each address that sends messages, and the addresses take turns. Failures are not
 * kept.
 */
export class HttpsCertificateSource extends CertificateSource {
  private stored: Promise<Certificate | null> | null = null;
  private readonly fetched = new Map<string, Certificate>();
  private readonly fetching = new Map<string, Promise<Certificate>>();
  private readonly turns = new PartnerQueue<string>(TURNS, {
    ofPartner: 'relay_unavailable',
    ofQueue: 'relay_unavailable',
  });

  constructor(
    private readonly store: CertificateStore,
    private readonly clock: Clock,
    private readonly fetch: Fetch = globalThis.fetch,
  ) {
    super();
  }

  override async publicKey(url: string, sender: string): Promise<KeyObject> {
    const last = await this.lastVerified();
    const known = this.known(url, last);
    if (known !== null) return known.key;
    try {
      if (last?.url === url) return (await this.fetchOnce(url)).key;
      return (await this.turns.run(sender, async () => this.known(url, last) ?? this.fetchOnce(url))).key;
    } catch (cause) {
      throw new AppError('relay_unavailable', {
        detail: 'The certificate of SNS cannot be fetched now; send again',
        cause,
      });
    }
  }

  override async verified(url: string): Promise<void> {
    const certificate = this.fetched.get(url);
    if (certificate === undefined || (await this.lastVerified())?.url === url) return;
    try {
      await this.store.save({ url, pem: certificate.pem });
      this.stored = Promise.resolve(certificate);
    } catch {
      // The next message stores it.
    }
  }

  private known(url: string, last: Certificate | null): Certificate | null {
    const now = this.clock.now().getTime();
    const found = [this.fetched.get(url), last].find(
      (each) => each?.url === url && each.validFrom <= now && now <= each.validTo,
    );
    return found ?? null;
  }

  /** Null while the database does not answer; then it is read again. */
  private lastVerified(): Promise<Certificate | null> {
    this.stored ??= this.store
      .read()
      .then((stored) => (stored === null ? null : parse(stored)))
      .catch(() => {
        this.stored = null;
        return null;
      });
    return this.stored;
  }

  private fetchOnce(url: string): Promise<Certificate> {
    const running = this.fetching.get(url) ?? this.load(url).finally(() => this.fetching.delete(url));
    this.fetching.set(url, running);
    return running;
  }

  private async load(url: string): Promise<Certificate> {
    // The parser throws for an error page with status 200, so it is not kept.
    const certificate = parse({ url, pem: await fetchText(url, this.fetch, deadline('certificate')) });
    const now = this.clock.now().getTime();
    if (now < certificate.validFrom || now > certificate.validTo) throw new Error('The certificate is not valid now');
    const [oldest] = this.fetched.keys();
    if (this.fetched.size >= MAX_FETCHED && oldest !== undefined) this.fetched.delete(oldest);
    this.fetched.set(url, certificate);
    return certificate;
  }
}

function parse({ url, pem }: StoredCertificate): Certificate {
  const { publicKey: key, validFrom, validTo } = new X509Certificate(pem);
  return { url, pem, key, validFrom: timeOf(validFrom), validTo: timeOf(validTo) };
}

/** @throws Error for a time that is not in UTC */
function timeOf(text: string): number {
  if (!isUtc(text)) throw new Error('The certificate has no times in UTC');
  return new Date(text).getTime();
}

function isUtc(text: string): text is `${string} GMT` {
  return text.endsWith(' GMT');
}
