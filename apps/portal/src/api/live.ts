import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from './client.js';
import { statusOf } from './problem.js';
import type { Event } from './shapes.js';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Many events at once, as of a bulk, make one reading of each list. */
const COLLECT_MS = 300;

/** What an event makes old, by the first word of its type. Everything about the event's domain is old with each. */
const LISTS: Record<string, string[]> = {
  domain: ['domains', 'attention', 'me', 'deleted'],
  mailbox: ['me', 'deleted'],
  alias: ['me'],
  key: ['keys'],
  link: ['links'],
  partner: ['partners', 'me'],
  job: ['jobs'],
};

/** Keeps what the page shows in step with the service, while the component is mounted. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => follow(new StaleParts(queryClient)), [queryClient]);
}

/**
 * Follows `GET /events/stream` from now on. The browser connects again by itself after a break, and then goes on where
 * it was. After a refusal, such as of one stream too many, we do.
 */
function follow(stale: StaleParts): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isLeft = false;
  const again = () => {
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
  };
  const open = () => {
    newestEvent()
      .then((after) => {
        if (isLeft) return;
        source = new EventSource(`/events/stream?after=${after}`);
        source.addEventListener('open', () => {
          retryMs = FIRST_RETRY_MS;
        });
        source.addEventListener('message', ({ data }: MessageEvent<string>) => stale.add(JSON.parse(data) as Event));
        source.addEventListener('error', () => {
          if (source?.readyState === EventSource.CLOSED) again();
        });
      })
      .catch((error: unknown) => {
        // Some callers have no events.
        if (statusOf(error) !== 403) again();
      });
  };
  open();
  return () => {
    isLeft = true;
    clearTimeout(timer);
    source?.close();
    stale.stop();
  };
}

async function newestEvent(): Promise<number> {
  const { data } = await api.GET('/events', { params: { query: { order: 'desc', limit: 1 } } });
  return data?.[0]?.id ?? 0;
}

/** Collects what became old and has it read again. Queries that no screen shows are read when one does. */
class StaleParts {
  private readonly keys = new Map<string, readonly string[]>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queryClient: QueryClient) {}

  add({ type, domain }: Pick<Event, 'type' | 'domain'>): void {
    const [noun = ''] = type.split('.');
    const lists = [['events'], ...(LISTS[noun] ?? []).map((list) => [list])];
    for (const key of domain === null ? lists : [...lists, ['domain', domain]]) this.keys.set(key.join('/'), key);
    this.timer ??= setTimeout(() => this.refresh(), COLLECT_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private refresh(): void {
    this.timer = undefined;
    for (const queryKey of this.keys.values()) void this.queryClient.invalidateQueries({ queryKey });
    this.keys.clear();
  }
}
