import { SqlStoredCopies } from '@mailstead/adapters/database/copies/sql-stored-copies';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SilentJobLog } from '@mailstead/adapters/jobs/testing/silent-job-log';
import { SilentMeters } from '@mailstead/core/meters';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const MAILBOXES = 30;

/** Counts the corrected rows of each table, as the metric does. */
class CountedRows extends SilentMeters {
  readonly rows: Record<string, number> = {};

  override copiesCorrected(table?: string, rows = 0): void {
    if (table !== undefined) this.rows[table] = (this.rows[table] ?? 0) + rows;
  }
}

/** Counts the corrected rows of each table and domain that the log names. */
class CountedLines extends SilentJobLog {
  readonly domains: Record<string, number[]> = {};

  override copiesCorrected(table?: string, domainIds: readonly number[] = []): void {
    if (table !== undefined) this.domains[table] = [...(this.domains[table] ?? []), ...domainIds];
  }
}

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    await api.key('acme');
  });
  afterAll(() => api.close());

  const namesOf = async (path: string): Promise<string[]> => {
    const { body } = await api.as(MASTER).get(path).expect(200);
    return (body as Record<string, string>[]).map(({ name, email, address }) => email ?? address ?? name ?? '').sort();
  };

  /** Inserts rows without their copies, as someone does who writes to the database by hand. */
  async function insertByHand(): Promise<number> {
    const { database } = api;
    const [partner] = await database.read("SELECT id FROM partner WHERE ref = 'acme'");
    await database.write(
      `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       VALUES ('former.example', ?, 1, 0, 0, 0, 'abuse', 'active', 'none', 'open', ${MAILBOXES}, 1)`,
      [Number(partner?.id)],
      [],
    );
    const [row] = await database.read("SELECT id FROM domain WHERE name = 'former.example'");
    const id = Number(row?.id);
    await database.write(
      `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
       VALUES (?, 'failed', '', 0, 't', 0)`,
      [id],
      [],
    );
    for (let number = 0; number < MAILBOXES; number += 1) {
      await database.write(
        `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
         VALUES (?, ?, ?, 'x', 1, 0, 1, ?, 1)`,
        [id, `m${number}@former.example`, `m${number}`, `home${number}`],
      );
    }
    await database.write(
      "INSERT INTO alias (domain_id, address, destination, created_at) VALUES (?, 'sales@former.example', 'm0@former.example', 1)",
      [id],
    );
    return id;
  }

  it('a domain that lacks a text by which it is found gets it, once', async () => {
    await api.as(MASTER).post('/domains/', { name: 'juniper-oven.example', partner_ref: 'acme' }).expect(201);
    await api.database.write("DELETE FROM domain_suffix WHERE suffix = 'oven.example'");
    expect(await namesOf('/domains/?q=oven')).toEqual([]);
    const work = api.container.get(UnitOfWork);
    const copies = new SqlStoredCopies(api.database, work, new SilentMeters(), new SilentJobLog());
    const correct = () => copies.correct({ of: 1, remainder: 0 }, api.clock.now());
    expect(await correct()).toBe(1);
    expect(await namesOf('/domains/?q=oven')).toEqual(['juniper-oven.example']);
    expect(await correct()).toBe(0);
  });

  it('rows without their copies are found by every filter after the daily check, and each corrected row is in the metric and in the log', async () => {
    const id = await insertByHand();
    const filters = [
      '/users/?partner_ref=acme&active=true',
      '/users/?partner_ref=acme&q=m1',
      '/aliases/?partner_ref=acme&q=sales',
      '/domains/?partner_ref=acme&q=former',
      '/domains/?partner_ref=acme&verification_status=failed',
      '/domains/?partner_ref=acme&attention=true',
    ];
    const counts = async () => Promise.all(filters.map(async (path) => (await namesOf(path)).length));
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);

    const [meters, log] = [new CountedRows(), new CountedLines()];
    const copies = new SqlStoredCopies(api.database, api.container.get(UnitOfWork), meters, log);
    await copies.correct({ of: 1, remainder: 0 }, api.clock.now());
    expect(await counts()).toEqual([MAILBOXES, 11, 1, 1, 1, 1]);
    const corrected = {
      verification: 1,
      mailbox: MAILBOXES,
      alias: 1,
      domain_suffix: 1,
      domain_attention: 1,
      ...(kind === 'mariadb' ? { mta_domain: 1 } : {}),
    };
    expect(meters.rows).toEqual(corrected);
    expect(log.domains).toEqual(
      Object.fromEntries(Object.entries(corrected).map(([table, rows]) => [table, Array(rows).fill(id)])),
    );
  });
});
