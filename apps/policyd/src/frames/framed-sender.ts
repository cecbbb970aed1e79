import type { ApiResponse, SendJson } from '@mailstead/client/post-json';
import { reasonOf } from '@mailstead/core/errors';
import { FRAMED_PATHS } from '@mailstead/core/frames/frame';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { FrameLink } from './frame-link.js';

/** An address that failed is not used for this time: the requests go to the same API by HTTP. */
const REST_MS = 5_000;
/** The longest wait for the API's answer to the token. */
const OPEN_WITHIN_MS = 1_000;

export interface FramedSenderOptions {
  token: string;
  /** Returns the `traceparent` of the present work. */
  traceparent: () => string;
  /** Called when an address fails, and when it answers again. */
  onChange: (address: ListenAddress, problem: string | null) => void;
  /** Milliseconds of a clock that only moves forward. */
  now?: () => number;
}

/**
 * Sends previews and counts by frames to the APIs that have an address for them, and all else by HTTP. An API is the
 * same one by both ways: which API is asked, and for how long, is decided before (`createPostJson`). A request goes by
 * HTTP when the API certainly did not get it by a frame, and never after a frame that may have arrived.
 */
export class FramedSender {
  private readonly ways = new Map<string, Way>();

  /** @param addresses by the base URL of the API */
  constructor(addresses: ReadonlyMap<string, ListenAddress>, options: FramedSenderOptions) {
    for (const [base, address] of addresses) this.ways.set(base, new Way(address, options));
  }

  /** The connections that are open. */
  get connections(): number {
    return [...this.ways.values()].filter(({ isConnected }) => isConnected).length;
  }

  over(http: SendJson): SendJson {
    const framed: ReadonlySet<string> = new Set(FRAMED_PATHS);
    return async (base, path, body, withinMs) => {
      const way = framed.has(path) ? this.ways.get(base) : undefined;
      if (way === undefined) return http(base, path, body, withinMs);
      const endsAt = performance.now() + withinMs;
      const response = await way.send(path, body, withinMs);
      return response ?? http(base, path, body, Math.max(1, Math.ceil(endsAt - performance.now())));
    };
  }
}

/** The address for frames of one API, and the connection to it. */
class Way {
  private link: FrameLink | null = null;
  private opening: Promise<FrameLink> | null = null;
  private restsUntil = Number.NEGATIVE_INFINITY;
  private hasFailed = false;
  private readonly now: () => number;

  constructor(
    private readonly address: ListenAddress,
    private readonly options: FramedSenderOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  get isConnected(): boolean {
    return this.link?.isUsable === true;
  }

  /** @returns null when the API did not get it @throws Error when it may have got it */
  async send(path: string, body: string, withinMs: number): Promise<ApiResponse | null> {
    const endsAt = performance.now() + withinMs;
    const link = await this.usable(withinMs);
    if (link === null) return null;
    try {
      const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      return await link.send(path, body, this.options.traceparent(), leftMs);
    } catch (error) {
      this.rest(error);
      throw error;
    }
  }

  /** @returns an open connection; null while there is none */
  private async usable(withinMs: number): Promise<FrameLink | null> {
    if (this.link?.isUsable === true) return this.link;
    if (this.now() < this.restsUntil) return null;
    this.opening ??= this.open(Math.min(withinMs, OPEN_WITHIN_MS));
    try {
      const link = await this.opening;
      return link.isUsable ? link : null;
    } catch {
      return null;
    }
  }

  private async open(withinMs: number): Promise<FrameLink> {
    try {
      this.link = await FrameLink.open(this.address, this.options.token, withinMs);
      if (this.hasFailed) this.options.onChange(this.address, null);
      this.hasFailed = false;
      return this.link;
    } catch (error) {
      this.rest(error);
      throw error;
    } finally {
      this.opening = null;
    }
  }

  private rest(error: unknown): void {
    this.restsUntil = this.now() + REST_MS;
    if (!this.hasFailed) this.options.onChange(this.address, reasonOf(error));
    this.hasFailed = true;
  }
}

/** @param list the base URLs of the APIs, separated by commas, as they are asked @param addresses in the same order */
export function addressesByUrl(list: string, addresses: readonly (ListenAddress | null)[]): Map<string, ListenAddress> {
  const urls = list.split(',').map((url) => url.trim().replace(/(?<!\/)\/+$/, ''));
  const found = new Map<string, ListenAddress>();
  for (const [index, url] of urls.entries()) {
    const address = addresses[index] ?? null;
    if (address !== null) found.set(url, address);
  }
  return found;
}
