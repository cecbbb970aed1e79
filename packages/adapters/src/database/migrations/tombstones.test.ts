import { DAY_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { openDatabase } from '../driver/open-database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { makeTestLocation, onEachDatabase } from '../testing/database-fixture.js';
import { runFormerSteps } from '../testing/former-release.js';
import { SqlDeletedRows } from '../tombstones/deleted-rows.js';
import { TypeormTombstoneRepository } from '../tombstones/tombstone-repository.js';
import { migrate } from './migrate.js';

/** The first release has only the steps before this millisecond. */
const SECOND_RELEASE = 1772323203000;
const DELETED_AT = Date.parse('2026-03-01T00:00:00.000Z');
const NAME = 'gone.example' as DomainName;

onEachDatabase((kind) => {
  it('tombstones of the first release still apply after the upgrade: the history of a name, and the homes to remove', async () => {
    const { url, dataDir, remove } = await makeTestLocation(kind);
    const database = await openDatabase({ url, dataDir, poolSize: 4 });
    await runFormerSteps(database, ({ number }) => number < SECOND_RELEASE);
    await database.write(
      `INSERT INTO domain_tombstone (id, name, partner_id, deleted_at, domain_id, suspension_causes, outbound_status, blocked_reason, blocked_at, bounce_window_start)
       VALUES (4, '${NAME}', 7, ${DELETED_AT - 2}, 40, '', 'active', NULL, NULL, NULL),
              (5, '${NAME}', 7, ${DELETED_AT}, 50, 'partner,abuse', 'blocked', 'bounce_rate', 11, 12),
              (6, '${NAME}', 8, ${DELETED_AT + 1}, 60, '', 'active', NULL, NULL, NULL)`,
    );
    await database.write(
      `INSERT INTO mailbox_tombstone (id, email, home, deleted_at)
       VALUES (1, 'a@${NAME}', '${'a'.repeat(32)}', ${DELETED_AT}), (9, 'b@${NAME}', '${'b'.repeat(32)}', ${DELETED_AT + 1})`,
    );
    await database.write(
      "INSERT INTO outbound_day (domain_id, day, sent, bounces, complaints) VALUES (50, '2026-02-28', 3, 2, 1)",
    );

    expect(await migrate(database)).toBeGreaterThan(0);
    expect((await database.writer.driver.createSchemaBuilder().log()).upQueries).toEqual([]);

    const tombstones = new TypeormTombstoneRepository(database);
    const now = new Date(DELETED_AT + DAY_MS);
    const { own, last } = await tombstones.ofName(NAME, 7, now);
    expect(last).toEqual({ partnerId: 8, leftAt: new Date(DELETED_AT + 1) });
    expect(own).toMatchObject({
      countersId: 50,
      ownership: null,
      domain: {
        id: 50,
        name: NAME,
        partnerId: 7,
        suspensionCauses: ['partner', 'abuse'],
        outboundStatus: 'blocked',
        blockedReason: 'bounce_rate',
        blockedAt: new Date(11),
        bounceWindowStart: new Date(12),
        plan: null,
        retentionDays: 0,
      },
    });

    const unitOfWork = new SqlUnitOfWork(database);
    if (own !== null) {
      const heir = Object.assign(Object.create(Object.getPrototypeOf(own.domain) as object), own.domain, { id: 70 });
      await unitOfWork.run(() => tombstones.handOver(own, heir, now));
    }
    expect(await database.read('SELECT domain_id, sent FROM outbound_day')).toEqual([{ domain_id: 70, sent: 3 }]);
    expect((await tombstones.ofName(NAME, 7, now)).own).toBeNull();

    const rows = new SqlDeletedRows(database, unitOfWork);
    const homesAt = async (at: number) => {
      const due = await rows.withMail(new Date(at), { after: 0, limit: 100 });
      return (await Promise.all(due.map(({ id }) => rows.homes(id, { after: 0, limit: 100 })))).flat();
    };
    expect(await homesAt(DELETED_AT + 7 * DAY_MS - 1)).toEqual([]);
    expect(await homesAt(DELETED_AT + 7 * DAY_MS)).toEqual([{ id: 1, email: `a@${NAME}`, home: 'a'.repeat(32) }]);
    expect(await homesAt(DELETED_AT + 8 * DAY_MS)).toHaveLength(2);
    // The hand-over used the tombstones of the partner.
    expect(await rows.forget(new Date(DELETED_AT + 1), true)).toBe(3);
    await database.close();
    await remove();
  });
});
