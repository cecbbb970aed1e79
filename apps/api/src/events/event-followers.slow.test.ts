import { setTimeout as delay } from 'node:timers/promises';
import { SqlAuditLog } from '@mailstead/adapters/database/audit/audit-log';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { SqlUnitOfWork } from '@mailstead/adapters/database/driver/sql-unit-of-work';
import { makeTestLocation, type TestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { aboutInstallation } from '@mailstead/core/audit/about-partner';
import { systemActor } from '@mailstead/core/operators/actor';
import { until } from '@mailstead/core/testing/until';
import { draws } from '../../../../scripts/fast-check.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { EventReader } from '../testing/event-reader.js';

const EVENTS = 10_000;
const WRITERS = 6;
const LONGEST_HOLD_MS = 40;
const ITEMS_PER_BULK = 500;
const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Follows the feed over every end of its service, and remembers all that it got. */
class Follower {
  readonly ids: number[] = [];
  readonly subjects: string[] = [];
  private isDone = false;
  private current: EventReader | null = null;

  constructor(
    private readonly url: () => string,
    private readonly types: string,
  ) {}

  get last(): number {
    return this.ids.at(-1) ?? 0;
  }

  stop(): void {
    this.isDone = true;
    this.current?.close();
  }

  /** By the stream, from the last id that it got. */
  async stream(): Promise<void> {
    while (!this.isDone) {
      const headers = { 'Last-Event-ID': String(this.last) };
      const query = `?types=${this.types}`;
      this.current = await EventReader.open(this.url(), CHILD_MASTER, query, headers).catch(() => null);
      if (this.current === null || this.current.response.statusCode !== 200) {
        this.current?.close();
        await delay(20);
        continue;
      }
      const reader = this.current;
      let taken = 0;
      while (!reader.isEnded && !this.isDone) {
        await reader.until(({ events }) => events.length > taken).catch(() => undefined);
        for (const { id, subject } of reader.events.slice(taken)) this.note(id, subject);
        taken = reader.events.length;
      }
    }
  }

  /** By pages of the list. */
  async poll(): Promise<void> {
    while (!this.isDone) {
      const query = `types=${this.types}&limit=100&after=${this.last}`;
      const found = await fetch(`${this.url()}/events?${query}`, {
        headers: { Authorization: `Bearer ${CHILD_MASTER}` },
      })
        .then((response) => (response.ok ? (response.json() as Promise<{ id: number; subject: string }[]>) : []))
        .catch(() => []);
      for (const { id, subject } of found) this.note(id, subject);
      if (found.length === 0) await delay(10);
    }
  }

  private note(id: number, subject: string): void {
    this.ids.push(id);
    this.subjects.push(subject);
  }
}

/** Waits until each follower has all events, then checks that it got each once, in the order of the positions. */
async function expectAll(followers: Follower[], expected: string[]): Promise<void> {
  await until('every event at every follower', () => followers.every(({ ids }) => ids.length >= expected.length));
  await delay(500);
  for (const follower of followers) {
    follower.stop();
    const { ids } = follower;
    expect(ids.length).toBe(expected.length);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))).toBe(true);
    expect([...follower.subjects].sort()).toEqual(expected);
  }
  const [first] = followers;
  for (const { subjects } of followers) expect(subjects).toEqual(first?.subjects);
}

describe(`${EVENTS} events while four readers follow`, () => {
  let location: TestLocation;
  const draw = draws();
  const started: ChildService[] = [];
  const following: Promise<void>[] = [];

  afterEach(async () => {
    await Promise.all(following.splice(0));
    for (const service of started.splice(0)) await service.end('SIGKILL');
    await location.remove();
  });

  async function start(port?: string): Promise<ChildService> {
    const { url, dataDir } = location;
    const service = await ChildService.start({
      DATA_DIR: dataDir,
      SCHEDULES: 'off',
      ...(url === null ? {} : { DATABASE_URL: url }),
      ...(port === undefined ? {} : { PORT: port }),
    });
    started.push(service);
    return service;
  }

  function follow(urls: (() => string)[], types: string): Follower[] {
    return urls.map((url, index) => {
      const follower = new Follower(url, types);
      following.push(index === urls.length - 1 ? follower.poll() : follower.stream());
      return follower;
    });
  }

  it('of transactions that commit late, on two replicas of which one is killed again and again: none is missed or twice', async () => {
    location = await makeTestLocation('mariadb');
    const steady = await start();
    let killed = await start();
    const followers = follow(
      [() => steady.url, () => killed.url, () => steady.url, () => (draw.below(2) === 0 ? steady.url : killed.url)],
      'job.missed',
    );
    // This process gives no positions: for the others it has ended between the commit and the positions.
    const database = await openDatabase({ url: location.url, dataDir: location.dataDir, poolSize: WRITERS });
    const [unitOfWork, audit] = [new SqlUnitOfWork(database), new SqlAuditLog(database)];
    const committed: string[] = [];
    let made = 0;
    const writer = async () => {
      while (made < EVENTS) {
        const names = Array.from(
          { length: Math.min(1 + draw.below(8), EVENTS - made) },
          (_, index) => `e${made + index}`,
        );
        made += names.length;
        const entries = names.map((subject) => aboutInstallation('job.missed', { subject }));
        const write = (isLost: boolean) =>
          unitOfWork.run(async () => {
            await audit.appendAll(systemActor('test'), new Date(), entries);
            await delay(draw.below(LONGEST_HOLD_MS));
            if (isLost) throw new Error('rolled back');
          });
        if (draw.below(20) === 0) await write(true).catch(() => undefined);
        await write(false);
        committed.push(...names);
      }
    };
    const writing = new AbortController();
    const killer = async () => {
      while (!writing.signal.aborted) {
        await delay(1_500);
        const { port } = new URL(killed.url);
        await killed.end('SIGKILL');
        killed = await start(port);
      }
    };
    const killing = killer();
    await Promise.all(Array.from({ length: WRITERS }, writer));
    writing.abort();
    await killing;
    await database.close();
    await expectAll(followers, committed.sort());
    expect(committed).toHaveLength(EVENTS);
  });

  it('on the embedded database, whose process is killed and started again: none is missed or twice', async () => {
    location = await makeTestLocation('sqlite');
    let service = await start();
    const url = () => service.url;
    await service.call('POST', '/domains/', { name: 'full.example' });
    await service.call('POST', '/users/', { email: 'box@full.example', password_hash: PASSWORD_HASH });
    const followers = follow([url, url, url, url], 'alias.created');
    for (let from = 0; from < EVENTS; from += ITEMS_PER_BULK) {
      const items = Array.from({ length: ITEMS_PER_BULK }, (_, index) => ({
        address: `a${from + index}@full.example`,
        destination: 'box@full.example',
      }));
      const bulk = () => service.call('POST', '/aliases/bulk', { items });
      if (from % (5 * ITEMS_PER_BULK) === 0) {
        const broken = bulk().catch(() => undefined);
        await delay(draw.below(200));
        await service.end('SIGKILL');
        await broken;
        service = await start(new URL(service.url).port);
      }
      expect((await bulk()).status).toBe(200);
    }
    const expected = Array.from({ length: EVENTS }, (_, index) => `a${index}@full.example`).sort();
    await expectAll(followers, expected);
  });
});
