import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import type { Domain } from '@mailstead/core/domains/domain';
import { SilentMeters } from '@mailstead/core/meters';
import type { Database, Parameter } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { waitingForLock } from '../testing/lock-waits.js';
import { PartnerWorld } from '../testing/partner-world.js';
import { openReusedDatabase, type ReusedDatabase } from '../testing/reused-database.js';
import { SqlRowCounts } from './row-counts.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Records the corrections. */
class RecordedMeters extends SilentMeters {
  readonly corrected: string[] = [];

  override countsCorrected(of?: 'partner' | 'domain'): void {
    this.corrected.push(of ?? '');
  }
}

onEachDatabase((kind) => {
  let reused: ReusedDatabase;
  let opened: TestDatabase;
  let world: PartnerWorld;
  let rowCounts: SqlRowCounts;
  let meters: RecordedMeters;
  let correctCounts: CorrectCounts;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());
  beforeEach(async () => {
    opened = await reused.asNew();
    world = new PartnerWorld(opened.database);
    rowCounts = new SqlRowCounts(opened.database);
    meters = new RecordedMeters();
    const { unitOfWork, partners, domains, audit } = world.ports;
    correctCounts = new CorrectCounts(unitOfWork, rowCounts, partners, domains, audit, meters, world.clock);
  });

  /** Runs the 24 runs of a day. @returns their sums */
  async function aDay(): Promise<{ checked: number; corrected: number }> {
    const total = { checked: 0, corrected: 0 };
    for (const remainder of HOURS) {
      const { counts_checked: checked, counts_mended: corrected } = await correctCounts.execute({ of: 24, remainder });
      total.checked += checked;
      total.corrected += corrected;
    }
    return total;
  }

  /** Creates domains of `acme`, the first two of them with a mailbox and an alias each. */
  async function domains(count: number) {
    const made = [];
    for (let index = 0; index < count; index += 1) {
      const domain = await world.createDomain('acme');
      if (index < 2) await world.createAlias(domain, 'sales', await world.createMailbox(domain, 'info'));
      made.push(domain);
    }
    return made;
  }

  const corrections = async () =>
    (await world.ports.audit.search({ actor: 'housekeeping' })({ after: 0, limit: 100 })).rows.map(
      ({ actorKind, action, partnerRef, domain, subject, before, after }) => ({
        actorKind,
        action,
        partnerRef,
        domain,
        subject,
        before,
        after,
      }),
    );

  it('corrects every wrong count within a day, and records the former value', async () => {
    const [first, second] = await domains(30);
    await opened.database.write("UPDATE partner SET domain_count = 7 WHERE ref = 'acme'");
    await opened.database.write('UPDATE domain SET mailbox_count = 5 WHERE id = ?', [first?.id ?? 0]);
    await opened.database.write('UPDATE domain SET alias_count = -1 WHERE id = ?', [second?.id ?? 0]);
    expect(await world.wrongCounts()).toHaveLength(3);

    expect(await aDay()).toMatchObject({ corrected: 3 });
    expect(await world.wrongCounts()).toEqual([]);
    expect(meters.corrected.sort()).toEqual(['domain', 'domain', 'partner']);
    const by = { actorKind: 'system', partnerRef: 'acme' };
    const right = { mailboxes: 1, aliases: 1 };
    const corrected = await corrections();
    expect(corrected).toHaveLength(3);
    expect(corrected).toEqual(
      expect.arrayContaining([
        {
          ...by,
          action: 'partner.mend_counts',
          domain: null,
          subject: 'acme',
          before: { domains: 7 },
          after: { domains: 30 },
        },
        {
          ...by,
          action: 'domain.mend_counts',
          domain: first?.name,
          subject: first?.name,
          before: { ...right, mailboxes: 5 },
          after: right,
        },
        {
          ...by,
          action: 'domain.mend_counts',
          domain: second?.name,
          subject: second?.name,
          before: { ...right, aliases: -1 },
          after: right,
        },
      ]),
    );
  });

  it('corrects a wrong number of suppressions', async () => {
    const { partnerId } = await world.createDomain('acme');
    const since = world.clock.now().getTime();
    await opened.database.write(
      "INSERT INTO suppression (partner_id, domain_id, address, reason, since) VALUES (?, 0, 'a@out.example', 'manual', ?)",
      [partnerId, since],
    );
    await opened.database.write('UPDATE partner SET suppression_count = 7 WHERE id = ?', [partnerId]);
    expect(await aDay()).toMatchObject({ corrected: 1 });
    expect(await corrections()).toMatchObject([
      { action: 'partner.mend_counts', before: { suppressions: 7 }, after: { suppressions: 1 } },
    ]);
    expect(await aDay()).toMatchObject({ corrected: 0 });
  });

  it('compares every partner and every domain once a day, and does not change correct counts', async () => {
    await domains(30);
    const partners = await opened.database.read('SELECT id FROM partner');
    expect(await aDay()).toEqual({ checked: 30 + partners.length, corrected: 0 });
    expect(await corrections()).toEqual([]);
    expect(meters.corrected).toEqual([]);
  });

  it('reads all rows of a slice that is larger than a page', async () => {
    const made = await domains(60);
    const last = made.at(-1);
    await opened.database.write('UPDATE domain SET mailbox_count = 9 WHERE id = ?', [last?.id ?? 0]);
    expect(await correctCounts.execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 1 });
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('corrects nothing while domains, mailboxes and aliases are created and deleted', async () => {
    const busy = await world.createDomain('acme');
    const inbox = await world.createMailbox(busy, 'inbox');
    const load = { isOver: false };
    const createAndDelete = async (name: string) => {
      while (!load.isOver) {
        const domain = await world.createDomain('acme');
        const mailbox = await world.createMailbox(busy, name);
        const alias = await world.createAlias(busy, `to-${name}`, inbox);
        await Promise.all([world.deleteDomain(domain), world.deleteAlias(alias.id), world.deleteMailbox(mailbox)]);
      }
    };
    const running = Promise.all(['a', 'b', 'c'].map(createAndDelete));
    for (let run = 0; run < 40; run += 1) {
      expect(await correctCounts.execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 0 });
    }
    load.isOver = true;
    await running;
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('reads the stored and the actual count at the same moment', async () => {
    const domain = await world.createDomain('acme');
    let made = 0;
    const interrupted: Database = Object.assign(Object.create(opened.database) as Database, {
      read: async <R>(sql: string, parameters?: Parameter[]) => {
        const rows = await opened.database.read<R>(sql, parameters);
        made += 1;
        await world.createMailbox(domain, `m${made}`);
        await world.createDomain('acme');
        return rows;
      },
    });
    const counts = new SqlRowCounts(interrupted);
    for (const rows of [
      await counts.domains({ of: 1, remainder: 0 }, { after: 0, limit: 10 }),
      await counts.partners({ of: 1, remainder: 0 }, { after: 0, limit: 10 }),
    ]) {
      expect(rows.length).toBeGreaterThan(0);
      for (const { stored, actual } of rows) expect(actual).toEqual(stored);
    }
    expect(made).toBeGreaterThan(0);
  });
});

/** The order is forced with a second process. Only on MariaDB, because SQLite has one writer. */
describe('between the comparison and the correction', () => {
  let opened: TestDatabase;
  let elsewhere: Database;
  let world: PartnerWorld;
  let other: PartnerWorld;
  let correctCounts: CorrectCounts;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 10 });
    world = new PartnerWorld(opened.database);
    other = new PartnerWorld(elsewhere);
    const { unitOfWork, partners, domains, audit } = world.ports;
    const rowCounts = new SqlRowCounts(opened.database);
    correctCounts = new CorrectCounts(unitOfWork, rowCounts, partners, domains, audit, new SilentMeters(), world.clock);
  });
  afterAll(async () => {
    await elsewhere.close();
    await opened.close();
  });

  /** Lets the run compare, and keeps the partner locked until `change` is committed. */
  async function overtakenBy(domain: Domain, change: () => Promise<unknown>) {
    const started = await other.ports.unitOfWork.run(async () => {
      await other.ports.partners.lock(domain.partnerId);
      const run = correctCounts.execute({ of: 1, remainder: 0 });
      await waitingForLock(opened.database, 'partner');
      await change();
      return { run };
    });
    return started.run;
  }

  it('a new mailbox is counted', async () => {
    const domain = await world.createDomain('acme');
    await opened.database.write('UPDATE domain SET mailbox_count = 100 WHERE id = ?', [domain.id]);
    expect(await overtakenBy(domain, () => other.createMailbox(domain, 'info'))).toMatchObject({ counts_mended: 1 });
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('a new domain is counted', async () => {
    const domain = await world.createDomain('acme');
    await opened.database.write("UPDATE partner SET domain_count = 100 WHERE ref = 'acme'");
    expect(await overtakenBy(domain, () => other.createDomain('acme'))).toMatchObject({ counts_mended: 1 });
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('a deleted or moved domain is skipped until the next run', async () => {
    const [deleted, moved] = [await world.createDomain('acme'), await world.createDomain('acme')];
    await opened.database.write('UPDATE domain SET mailbox_count = 100 WHERE id IN (?, ?)', [deleted.id, moved.id]);
    const change = async () => {
      await other.deleteDomain(deleted);
      await other.moveDomain(moved, 'newcomer');
    };
    expect(await overtakenBy(deleted, change)).toMatchObject({ counts_mended: 0 });
    expect(await correctCounts.execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 1 });
    expect(await world.wrongCounts()).toEqual([]);
  });
});
