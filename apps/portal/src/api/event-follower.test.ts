import { jest } from '@jest/globals';
import { EventFollower, type EventSourceOfService, type Position, type StreamListener } from './event-follower.js';
import type { Event } from './shapes.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const SECOND = 1_000;

const event = (id: number) => ({ id, type: 'domain.updated', domain: 'a.example' }) as Event;

/** A service with events, whose answers and streams a test decides. */
class Service implements EventSourceOfService {
  events: Event[] = [];
  /** The oldest position after which events are kept. */
  oldest = 0;
  recent: Event[] | null = [];
  isDown = false;
  refusesStreams = false;
  status = 0;
  readonly asked: string[] = [];
  streams: { after: Position; listener: StreamListener; isOpen: boolean }[] = [];

  private get newest(): Position {
    return this.events.at(-1)?.id ?? null;
  }

  latest = async () => {
    this.answer('latest');
    return { events: this.recent, position: this.newest };
  };

  following = async (position: Position) => {
    this.answer(`after ${position}`);
    if (position !== null && position < this.oldest) return null;
    return { events: this.events.filter(({ id }) => id > (position ?? 0)), position: this.newest ?? position };
  };

  open = (after: Position, listener: StreamListener) => {
    const stream = { after, listener, isOpen: true };
    this.streams.push(stream);
    if (this.refusesStreams) setTimeout(() => this.refuse(stream), 1);
    return () => {
      stream.isOpen = false;
    };
  };

  isFinal = (error: unknown) => error === 'final';

  /** The one that is open. */
  get stream() {
    const open = this.streams.filter(({ isOpen }) => isOpen);
    expect(open).toHaveLength(1);
    return open[0]?.listener ?? fail();
  }

  private refuse(stream: { listener: StreamListener; isOpen: boolean }): void {
    if (stream.isOpen) stream.listener.ended();
  }

  private answer(question: string): void {
    this.asked.push(question);
    if (this.status === 403) throw 'final';
    if (this.isDown) throw new Error('no answer');
  }
}

function fail(): never {
  throw new Error('No stream is open');
}

describe('who follows the events', () => {
  let service: Service;
  let happened: number[];
  let anew: number;
  let oldSince: Date | null;
  let follower: EventFollower;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    service = new Service();
    service.events = [event(7)];
    [happened, anew, oldSince] = [[], 0, null];
    follower = new EventFollower(service, {
      happened: ({ id }) => happened.push(id),
      everythingChanged: () => (anew += 1),
      oldSince: (since) => (oldSince = since),
    });
  });
  afterEach(() => {
    follower.pause();
    jest.useRealTimers();
  });

  const after = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * SECOND);
  async function begin(): Promise<void> {
    follower.goOn();
    await after(0);
    if (!service.refusesStreams) service.stream.opened();
  }
  const hear = (id: number) => service.stream.heard(event(id), id);

  it('begins after the newest event', async () => {
    await begin();
    expect(service.streams.map((each) => each.after)).toEqual([7]);
    hear(8);
    expect(happened).toEqual([8]);
  });

  it('takes what happened in the moments before it began, and everything for old when that was much', async () => {
    service.recent = [event(6), event(7)];
    await begin();
    expect([happened, anew, service.streams[0]?.after]).toEqual([[6, 7], 0, 7]);
    follower.pause();
    service.recent = null;
    const later = new EventFollower(service, {
      happened: ({ id }) => happened.push(id),
      everythingChanged: () => (anew += 1),
      oldSince: () => {},
    });
    later.goOn();
    await after(0);
    later.pause();
    expect([happened, anew, service.streams[1]?.after]).toEqual([[6, 7], 1, 7]);
  });

  it('begins without a position when the caller has no events', async () => {
    service.events = [];
    await begin();
    expect(service.streams.map((each) => each.after)).toEqual([null]);
    service.stream.ended();
    service.events = [event(9)];
    await after(1);
    expect(service.asked).toEqual(['latest', 'after null']);
    expect([happened, service.streams.at(-1)?.after]).toEqual([[9], 9]);
  });

  it('learns after a break what happened meanwhile, each event once', async () => {
    await begin();
    service.events.push(event(8));
    hear(8);
    service.stream.ended();
    service.events.push(event(9), event(10));
    await after(1);
    expect([happened, service.streams.at(-1)?.after]).toEqual([[8, 9, 10], 10]);
  });

  it('goes on after the position of the last heartbeat', async () => {
    await begin();
    service.stream.heard(null, 30);
    service.stream.ended();
    await after(1);
    expect(service.asked.at(-1)).toBe('after 30');
  });

  it('takes everything for old when the events that it missed are not kept', async () => {
    await begin();
    service.stream.ended();
    service.oldest = 20;
    service.events = [event(31)];
    await after(1);
    expect([anew, happened, service.streams.at(-1)?.after]).toEqual([1, [], 31]);
  });

  it('takes a stream for broken of which nothing is heard in 45 seconds, and heartbeats keep it', async () => {
    await begin();
    for (let beats = 0; beats < 10; beats += 1) {
      await after(15);
      service.stream.heard(null, 7);
    }
    expect(service.streams).toHaveLength(1);
    await after(44);
    expect(service.streams).toHaveLength(1);
    await after(2);
    expect(service.streams.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  it('asks at least every 15 seconds while streams are refused, and says nothing of being old', async () => {
    service.refusesStreams = true;
    await begin();
    await after(60);
    const { length } = service.asked;
    service.events.push(event(8));
    await after(16);
    expect(happened).toEqual([8]);
    expect(service.asked.length).toBeGreaterThan(length);
    expect(service.asked.length).toBeLessThan(12);
    expect(oldSince).toBeNull();
    service.refusesStreams = false;
    await after(16);
    service.stream.opened();
  });

  it('says after two questions without an answer since when it is old, until one is answered', async () => {
    await begin();
    await after(10);
    service.stream.heard(null, 7);
    service.isDown = true;
    service.stream.ended();
    await after(1);
    expect(oldSince).toBeNull();
    await after(2);
    expect(oldSince).toEqual(new Date(NOW.getTime() + 10 * SECOND));
    service.isDown = false;
    service.events.push(event(8));
    await after(15);
    expect([oldSince, happened]).toEqual([null, [8]]);
  });

  it('has no stream and asks nothing while it pauses, and then learns what it missed', async () => {
    await begin();
    follower.pause();
    expect(service.streams.map(({ isOpen }) => isOpen)).toEqual([false]);
    const { length } = service.asked;
    await after(3_600);
    expect(service.asked).toHaveLength(length);
    service.events.push(event(8));
    follower.goOn();
    await after(0);
    expect([happened, service.streams.at(-1)?.after]).toEqual([[8], 8]);
  });

  it('takes everything for old when its first question had no answer', async () => {
    service.isDown = true;
    follower.goOn();
    await after(0);
    service.isDown = false;
    await after(1);
    expect([anew, service.streams.at(-1)?.after]).toEqual([1, 7]);
  });

  it('has one stream however often it is told to go on', async () => {
    await begin();
    for (let times = 0; times < 5; times += 1) follower.goOn();
    await after(0);
    service.stream.ended();
    for (let times = 0; times < 5; times += 1) follower.goOn();
    await after(5);
    expect(service.streams.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });

  it('asks no more when the caller may not, until it is told to go on', async () => {
    service.status = 403;
    follower.goOn();
    await after(600);
    expect(service.asked).toEqual(['latest']);
    service.status = 0;
    await begin();
  });
});
