import { setMaxListeners } from 'node:events';
import { SECOND_MS } from '@mailstead/core/clock';
import type { SendOptions, SendResult } from '@mailstead/core/webhooks/webhook-sender';
import { Webhook } from 'standardwebhooks';

export interface Received {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = Partial<SendResult> | 'echo' | 'hang';

/** The servers at all URLs, in place of the network. Each echoes challenges until a test says otherwise. */
export class Receivers {
  readonly received: Received[] = [];
  readonly answers = new Map<string, Answer>();
  /** The most requests to one URL that were open at the same time. */
  mostOpenOfOne = 0;
  private readonly open = new Map<string, number>();
  private readonly hanging: ((outcome: 'ok' | 'timeout') => void)[] = [];

  readonly post = async (
    url: string,
    headers: Record<string, string>,
    body: string,
    { signal }: SendOptions,
  ): Promise<SendResult | null> => {
    if (signal.aborted) return null;
    this.received.push({ url, headers, body });
    const open = (this.open.get(url) ?? 0) + 1;
    this.mostOpenOfOne = Math.max(open, this.mostOpenOfOne);
    this.open.set(url, open);
    return this.result(url, body, signal).finally(() => this.open.set(url, (this.open.get(url) ?? 1) - 1));
  };

  /** The number of URLs with an open request. */
  get openUrls(): number {
    return [...this.open.values()].filter((open) => open > 0).length;
  }

  private async result(url: string, body: string, signal: AbortSignal): Promise<SendResult | null> {
    const answer = this.answers.get(url) ?? 'echo';
    if (answer === 'hang') {
      setMaxListeners(0, signal);
      const outcome = await new Promise<'ok' | 'timeout'>((resolve) => {
        this.hanging.push(resolve);
        signal.addEventListener('abort', () => resolve('timeout'));
      });
      return signal.aborted ? null : { outcome, status: outcome === 'ok' ? 200 : null, answer: '' };
    }
    const { challenge } = JSON.parse(body) as { challenge?: string };
    const echoed: SendResult = { outcome: 'ok', status: 200, answer: JSON.stringify({ challenge }) };
    return answer === 'echo' ? echoed : { ...echoed, answer: '', ...answer };
  }

  /** Ends the attempts that hang. */
  release(outcome: 'ok' | 'timeout' = 'timeout'): void {
    for (const end of this.hanging.splice(0)) end(outcome);
  }

  /** The events that a URL got, in the order of their arrival, without challenges and tests. */
  events(url: string): { id: number; type: string; subject: string }[] {
    return this.bodies(url).filter(({ id }) => id !== undefined);
  }

  bodies(url: string) {
    return this.received
      .filter((each) => each.url === url)
      .map(
        ({ body }) => JSON.parse(body) as { id: number; type: string; subject: string; after?: number; until?: number },
      );
  }

  last(url: string): Received {
    const last = this.received.findLast((each) => each.url === url);
    if (last === undefined) throw new Error(`${url} got nothing`);
    return last;
  }
}

/** @throws Error when the signature is not of this secret */
export function verify(secret: string, { headers, body }: Received): unknown {
  // The library reads the time of this process, and the tests set that of the service.
  const { now } = Date;
  Date.now = () => Number(headers['webhook-timestamp']) * SECOND_MS;
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    Date.now = now;
  }
}
