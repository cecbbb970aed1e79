import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { parseTime } from '../parts/time.js';
import { api } from './client.js';
import { EventFollower, type EventSourceOfService, type Position } from './event-follower.js';
import { statusOf } from './problem.js';
import { askService, whenItGoesOn } from './service-state.js';
import type { Event } from './shapes.js';
import { StaleParts } from './stale-parts.js';

/** Events that one question reads. */
const READ_AT_ONCE = 100;
/** The first screen may be as much older than the first answer of events. */
const LATEST_MS = 10_000;
const LATEST_EVENTS = 20;

let oldSince: Date | null = null;
const listeners = new Set<() => void>();

/** Since when the page does not know what happens; null while it does. */
export function useOldSince(): Date | null {
  return useSyncExternalStore(subscribe, () => oldSince);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setOldSince(since: Date | null): void {
  oldSince = since;
  for (const listener of listeners) listener();
}

/**
 * Keeps what the page shows in step with the service, while the component is mounted and the page is seen: a session
 * may have two streams, and has any number of tabs.
 */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stale = new StaleParts(queryClient);
    const follower = new EventFollower(SERVICE, {
      happened: (event) => stale.add(event),
      everythingChanged: () => stale.everything(),
      oldSince: setOldSince,
    });
    const look = () => (document.hidden ? follower.pause() : follower.goOn());
    // A page that is loaded unseen knows from then on what it misses.
    follower.goOn();
    look();
    document.addEventListener('visibilitychange', look);
    const remove = whenItGoesOn(look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      remove();
      follower.pause();
      stale.stop();
      setOldSince(null);
    };
  }, [queryClient]);
}

const SERVICE: EventSourceOfService = {
  latest: async () => {
    const { data = [], response } = await api.GET('/events', {
      params: { query: { order: 'desc', limit: LATEST_EVENTS } },
    });
    const now = Date.parse(response.headers.get('date') ?? '');
    // Without the header all of them count.
    const events = data.filter(({ at }) => !(now - parseTime(at).getTime() >= LATEST_MS));
    return { events: events.length === LATEST_EVENTS ? null : events, position: data[0]?.id ?? null };
  },
  following: async (position) => {
    const after = position === null ? {} : { after: position };
    try {
      const { data = [] } = await api.GET('/events', { params: { query: { ...after, limit: READ_AT_ONCE } } });
      return data.length === READ_AT_ONCE ? null : { events: data, position: data.at(-1)?.id ?? position };
    } catch (error) {
      if (statusOf(error) === 410) return null;
      throw error;
    }
  },
  open: (position, { opened, heard, ended }) => {
    const source = new EventSource(addressOf(position));
    const listen = (type: string, toEvent: (data: string) => Event | null) =>
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) =>
        heard(toEvent(data), Number(lastEventId)),
      );
    source.addEventListener('open', opened);
    listen('message', (data) => JSON.parse(data) as Event);
    listen('heartbeat', () => null);
    source.addEventListener('error', () => {
      source.close();
      void askService();
      ended();
    });
    return () => source.close();
  },
  // Without a session, or for a caller without events.
  isFinal: (error) => [401, 403].includes(statusOf(error) ?? 0),
};

/** Of a caller without events the stream begins at the oldest: 0 may be refused as a position that is gone. */
function addressOf(position: Position): string {
  return position === null ? '/events/stream' : `/events/stream?after=${position}`;
}
