import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { AppError, invalidField } from '@mailstead/core/errors';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { presentEvent } from '@mailstead/core/events/present-event';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { searched } from '../http/paging.js';
import { OpenResponse } from '../http/responses.js';
import { type Controller, type Route, type RouteRequest, route } from '../http/route.js';
import { EventHub } from './event-hub.js';
import { EventStream, StreamTimes } from './event-stream.js';
import { EventResponse, EventStreamQuery, EventsQuery, filterOf } from './events-dto.js';
import { OpenStreams } from './open-streams.js';

const EVENT_STREAM = 'text/event-stream';

@needs(EventFeed, EventPositioner, ShutdownCheck, StreamTimes)
export class EventsController implements Controller {
  private readonly hub: EventHub;
  private readonly streams = new OpenStreams();

  constructor(
    private readonly feed: EventFeed,
    positioner: EventPositioner,
    private readonly shutdown: ShutdownCheck,
    private readonly times: StreamTimes,
  ) {
    this.hub = new EventHub(feed, positioner, shutdown, times.lookEveryMs);
  }

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/events',
        access: 'client',
        summary: 'List what happened, in the order in which it became visible',
        description:
          'A client sees the events of its partner, master and `read` those of all. Without `after` the list begins at the oldest event that is kept. `id` is a position: after reading up to it, no event with a lower one appears. With `limit`, a request looks at no more than 20,000 events: a page may have fewer rows than `limit`, or none, and still a link to the next one.',
        errors: ['events_gone'],
        query: EventsQuery,
        response: [EventResponse],
        run: async ({ actor, query }) => {
          const filter = filterOf(actor, query);
          if (query.order !== 'desc') await this.refuseGone(query.after);
          return searched(query, this.feed.search(filter), (event) => presentEvent(event, actor));
        },
      }),
      route({
        method: 'get',
        path: '/events/stream',
        access: 'client',
        summary: 'Follow the events as server-sent events',
        description:
          'Sends the events of `GET /events` after the header `Last-Event-ID` or `after`, and then each new one within a second. Each has its position as `id` and the event as JSON in `data`. The event `heartbeat`, every 15 seconds, shows that the stream lives; its `id` is a position too. The stream ends when its caller may no longer read it, when the client does not read, and when the process stops; continue with `Last-Event-ID`. A session may have 2 open streams, a key 5, a partner 20, and all callers of a process 500.',
        errors: ['events_gone', 'too_many_streams', 'shutting_down'],
        query: EventStreamQuery,
        response: null,
        mediaTypes: [EVENT_STREAM],
        run: (request) => this.open(request),
      }),
    ];
  }

  private async open(request: RouteRequest<object, EventStreamQuery, undefined>): Promise<OpenResponse> {
    const { actor, query, headers, identify, closeSignal, addToLog } = request;
    filterOf(actor, query);
    const after = lastEventId(headers['last-event-id']) ?? query.after;
    await this.refuseGone(after);
    if (this.shutdown.isStopping) throw new AppError('shutting_down');
    const closed = closeSignal();
    const end = this.streams.begin(actor);
    closed.addEventListener('abort', end);
    if (closed.aborted) end();
    return new OpenResponse(EVENT_STREAM, async (response) => {
      const position = after ?? (await this.feed.bounds()).first - 1;
      const stream = new EventStream(this.hub, this.feed, response, {
        position,
        viewer: actor,
        filterOf: (viewer) => filterOf(viewer, query),
        identify,
        closed,
        times: this.times,
      });
      addToLog({ streamed_events: await stream.serve() });
    });
  }

  /**
   * @throws AppError events_gone, so that no reader misses events unnoticed: one that was away too long, or one that
   * has read what a restore does not bring back
   */
  private async refuseGone(after: number | undefined): Promise<void> {
    if (after === undefined) return;
    if (!(await this.feed.isKnown(after))) throw new AppError('events_gone');
  }
}

/** The position that a browser sends when it connects again. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  const id = /^\d{1,15}$/.test(String(header)) ? Number(header) : null;
  if (id === null) throw invalidField('Last-Event-ID', 'must be the id of an event');
  return id;
}
