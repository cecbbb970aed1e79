/** An address that failed is not asked for this time, unless all others failed too. */
const REST_MS = 5_000;
/** Answers of a service that is down, and of a proxy that does not reach it. */
const DOWN = new Set([502, 503, 504]);
/** Errors of a connection that was never open: the request has not arrived. */
const NEVER_OPEN = new Set(['connect', 'getaddrinfo']);

/** The base URLs of one API, in the order of the list, and which of them are resting after a failure. */
export class ApiAddresses {
  private readonly urls: readonly string[];
  private readonly failedAt = new Map<string, number>();

  /**
   * @param list base URLs, separated by commas
   * @param now milliseconds of a clock that only moves forward
   * @throws TypeError when one of them is no URL, instead of at the time when it is needed
   */
  constructor(
    list: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.urls = list.split(',').map((url) => url.trim().replace(/(?<!\/)\/+$/, ''));
    const wrong = this.urls.findIndex((url) => !/^https?:\/\//i.test(url) || !URL.canParse(url));
    if (wrong !== -1)
      throw new TypeError(`Address ${wrong + 1} of the API must be a URL such as http://127.0.0.1:8080`);
  }

  get size(): number {
    return this.urls.length;
  }

  /** The base URL to ask now: the first that does not rest; when all do, the one that failed first. */
  get current(): string {
    return this.inOrder()[0] ?? '';
  }

  /** All base URLs in the order to ask: those that rest come last, the one that failed first before the others. */
  inOrder(): string[] {
    const isResting = (url: string) => this.now() - this.failure(url) < REST_MS;
    const resting = this.urls.filter(isResting).sort((one, other) => this.failure(one) - this.failure(other));
    return [...this.urls.filter((url) => !isResting(url)), ...resting];
  }

  /** Whether one is left that did not fail just now. */
  get hasRested(): boolean {
    return this.urls.some((url) => this.now() - this.failure(url) >= REST_MS);
  }

  /** Lets an address rest: it did not respond, or its response was that it is down. */
  failed(url: string): void {
    this.failedAt.set(url, this.now());
  }

  worked(url: string): void {
    this.failedAt.delete(url);
  }

  private failure(url: string): number {
    return this.failedAt.get(url) ?? Number.NEGATIVE_INFINITY;
  }
}

/** Whether another address may be up, although this one answered with this status. */
export function isDownStatus(status: number | undefined): boolean {
  return status !== undefined && DOWN.has(status);
}

/**
 * Whether the request certainly did not arrive, so that sending it elsewhere cannot let it take effect twice. A name
 * with several addresses, such as `localhost`, fails with the errors of all of them.
 */
export function neverArrived(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.every(neverArrived);
  return 'syscall' in error && NEVER_OPEN.has(String(error.syscall));
}
