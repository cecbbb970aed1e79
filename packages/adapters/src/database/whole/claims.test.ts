import { systemActor } from '@mailstead/core/operators/actor';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import type { Database, Row } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { entityManager } from '../driver/entity-managers.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { isNewOccurrence } from '../health/occurrence.js';
import { TypeormNotificationOutbox, TypeormNotifier } from '../notifications/notification-outbox.js';
import { TypeormIdempotencyStore } from '../operators/idempotency-store.js';
import { TypeormRelayEventInbox } from '../relay-events/relay-event-inbox.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlDeletedRows } from '../tombstones/deleted-rows.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const ROWS = 12;
const IDS = Array.from({ length: ROWS }, (_, index) => index + 1);

const LOCKING_READS = {
  'with locking reads': {},
  'without any locking read': { forUpdate: '', forShare: '', skipLocked: '' },
};

onEachDatabase((kind) => {
  describe.each(Object.entries(LOCKING_READS))('two claimers at once, %s', (_, clauses) => {
    let opened: TestDatabase;
    let unitOfWork: SqlUnitOfWork;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      const { database } = opened;
      const dialect = { ...database.dialect, ...clauses };
      // The entity manager for a single writer adds no lock to reads.
      const manager = entityManager(database.writer, { ...dialect, hasOneWriter: true }, database);
      Object.assign(database, dialect.forUpdate === '' ? { dialect, manager } : {});
      unitOfWork = new SqlUnitOfWork(opened.database);
    });
    afterAll(() => opened.close());

    /** Runs two claimers at once. Without locks, both make their first read before either continues. */
    async function twoAtOnce<T>(claimer: () => Promise<T>): Promise<PromiseSettledResult<T>[]> {
      const mayMeet = kind === 'mariadb' && opened.database.dialect.forUpdate === '';
      const separate = mayMeet ? meetAfterReading(opened.database, 2) : () => undefined;
      try {
        return await Promise.allSettled([claimer(), claimer()]);
      } finally {
        separate();
      }
    }

    async function allClaimed(claim: () => Promise<number[]>): Promise<number[]> {
      const untilNone = async () => {
        const claimed: number[] = [];
        for (;;) {
          const ids = await claim();
          if (ids.length === 0) return claimed;
          claimed.push(...ids);
        }
      };
      return (await twoAtOnce(untilNone)).flatMap(valueOf).sort((left, right) => left - right);
    }

    it('take every notification once', async () => {
      const notifier = new TypeormNotifier(opened.database, new IdleJobQueue(), { names: ['webhook'] });
      for (const _id of IDS) await notifier.notify('domain.verified', null, NOW);
      const outbox = new TypeormNotificationOutbox(opened.database, unitOfWork);
      const claimed = await allClaimed(async () => (await outbox.lease(5, NOW, 60_000)).map(({ id }) => id));
      expect(claimed).toEqual(IDS);
    });

    it('process every relay event once', async () => {
      const inbox = new TypeormRelayEventInbox(opened.database);
      await inbox.store(
        IDS.map((id) => ({ event: anEvent(id), requestId: null })),
        NOW,
      );
      const claimed = await allClaimed(() =>
        unitOfWork.run(async () => {
          const taken = await inbox.lockPending({ maxEvents: 5, maxBytes: 1_000_000 }, NOW);
          const ids = taken.map(({ id }) => id);
          await inbox.markProcessed(ids, 'ignored', NOW);
          return ids;
        }),
      );
      expect(claimed).toEqual(IDS);
    });

    it('give an idempotency key whose lease ended to only one of them', async () => {
      const store = new TypeormIdempotencyStore(opened.database, unitOfWork, 'secret');
      const request = { caller: 'acme', scope: 'all' as const, key: 'k', fingerprint: 'POST /domains/' };
      await store.begin(request, new Date(NOW.getTime() - 3_600_000));
      const outcomes = await twoAtOnce(() => store.begin(request, NOW));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: null }]);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'idempotency_in_progress' },
      });
    });

    it('see a new occurrence in only one of them, for the first and a later occurrence', async () => {
      const ask = (at: number) => () =>
        unitOfWork.run(() => isNewOccurrence(opened.database, 'tests', at, 60_000)).catch(falseIfDuplicate);
      expect((await twoAtOnce(ask(NOW.getTime()))).filter(isTrue)).toHaveLength(1);
      expect((await twoAtOnce(ask(NOW.getTime() + 10_000))).filter(isTrue)).toHaveLength(0);
      expect((await twoAtOnce(ask(NOW.getTime() + 70_001))).filter(isTrue)).toHaveLength(1);
    });

    it('count every deletion once when they erase and delete its rows', async () => {
      const { kind: actorKind } = systemActor('tests');
      await opened.database.write(
        `INSERT INTO tombstone (kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, counters_id, mailboxes, aliases)
         VALUES ${IDS.map((id) => `('domain', 'd${id}.example', 1, '${actorKind}', 'tests', 0, 0, ${id}, ${id}, 0, 0)`).join(', ')}`,
      );
      const rows = new SqlDeletedRows(opened.database, unitOfWork);
      const total = async (step: () => Promise<number>) =>
        (await allClaimed(async () => Array.from({ length: await step() }, () => 1))).length;
      expect(await total(() => rows.erase(NOW))).toBe(ROWS);
      expect(await total(() => rows.forget(NOW, false))).toBe(ROWS);
      expect(await total(() => rows.forget(NOW, true))).toBe(ROWS);
      expect(await opened.database.read('SELECT id FROM tombstone')).toEqual([]);
    });
  });
});

/** Blocks the first reads until `readers` of them have started. @returns a function that restores `read` */
function meetAfterReading(database: Database, readers: number): () => void {
  const read = database.read.bind(database);
  let waiting = readers;
  let letGo: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  database.read = async <R = Row>(...[sql, parameters]: Parameters<Database['read']>): Promise<R[]> => {
    const rows = await read<R>(sql, parameters);
    if (waiting > 0) {
      waiting -= 1;
      if (waiting === 0) letGo();
      await all;
    }
    return rows;
  };
  return () => {
    database.read = read;
  };
}

function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function isTrue(outcome: PromiseSettledResult<boolean>): boolean {
  return valueOf(outcome);
}

function falseIfDuplicate(error: unknown): boolean {
  if (isDuplicateError(error)) return false;
  throw error;
}

function anEvent(id: number): RelayEvent {
  return {
    providerId: `event-${id}`,
    kind: 'other',
    bounceType: null,
    subType: null,
    attempted: true,
    notSpam: false,
    messageId: `message-${id}`,
    sentAt: NOW,
    sourceDomain: null,
    recipients: [],
    sender: null,
    diagnostics: new Map(),
    statuses: new Map(),
    occurredAt: NOW,
  };
}
