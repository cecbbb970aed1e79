import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { systemActor } from '@mailstead/core/operators/actor';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { OutboundWorld } from '@mailstead/core/testing/outbound-world';
import type { Database, Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { SqlDeletedItems } from './deleted-items.js';
import { SqlDeletedRows } from './deleted-rows.js';
import { TypeormTombstoneRepository } from './tombstone-repository.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const DELETION = { actor: systemActor('tests'), at: NOW, expiresAt: NOW };

interface Seen {
  sql: string;
  parameters: Parameter[];
  /** The number of rows that a read returned. */
  rows: number;
}

/** Runs the work. @param before is called before each statement. @returns the statements */
async function statementsOf(
  database: Database,
  work: () => Promise<unknown>,
  before: (sql: string, parameters: Parameter[]) => Promise<void> = async () => {},
): Promise<Seen[]> {
  const [read, write] = [database.read.bind(database), database.write.bind(database)];
  const seen: Seen[] = [];
  database.read = async <R>(sql: string, given?: Parameter[]) => {
    const parameters = given ?? [];
    await before(sql, parameters);
    const rows = await read<R>(sql, parameters);
    seen.push({ sql, parameters, rows: rows.length });
    return rows;
  };
  database.write = async (sql, given, keys) => {
    const parameters = given ?? [];
    await before(sql, parameters);
    seen.push({ sql, parameters, rows: 0 });
    return write(sql, parameters, keys);
  };
  try {
    await work();
  } finally {
    Object.assign(database, { read, write });
  }
  return seen;
}

/** Creates mailboxes of the domain, and an alias to each of them in another domain. */
async function fill(database: Database, domain: Domain, elsewhere: Domain, count: number): Promise<void> {
  const first = domain.id * 1_000_000;
  for (let start = 0; start < count; start += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, count - start) }, (_, index) => first + start + index);
    await database.write(
      `INSERT INTO mailbox (id, domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       VALUES ${ids.map((id) => `(${id}, ${domain.id}, 'm${id}@${domain.name}', 'm${id}', 'x', 1, 0, 1, 'h', 0)`).join(', ')}`,
    );
    await database.write(
      `INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at)
       VALUES ${ids.map((id) => `(${elsewhere.id}, 'a${id}@${elsewhere.name}', 'm${id}@${domain.name}', ${id}, 0)`).join(', ')}`,
    );
  }
  await database.write('UPDATE domain SET mailbox_count = ? WHERE id = ?', [count, domain.id]);
  await database.write('UPDATE domain SET alias_count = ? WHERE id = ?', [count, elsewhere.id]);
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let world: OutboundWorld;
  let tombstones: TypeormTombstoneRepository;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    world = new OutboundWorld(outboundPorts(opened.database));
    tombstones = new TypeormTombstoneRepository(opened.database);
  });
  afterAll(() => opened.close());

  const count = async (sql: string, ...parameters: Parameter[]) =>
    Number((await opened.database.read<{ n: unknown }>(`SELECT COUNT(*) AS n FROM ${sql}`, parameters))[0]?.n);

  it('moves 4,000 mailboxes and their aliases into the tables of deleted rows with at most 500 rows in a statement', async () => {
    const [domain, elsewhere] = [await world.domain(), await world.domain()];
    await fill(opened.database, domain, elsewhere, 4_000);
    const statements = await statementsOf(opened.database, () => world.delete(domain));
    expect(statements.length).toBeLessThan(74);
    expect(Math.max(...statements.map(({ rows }) => rows))).toBeLessThanOrEqual(500);
    expect(Math.max(...statements.map(({ parameters }) => parameters.length))).toBeLessThanOrEqual(501);
    // Each search for aliases starts where the last one ended, not at the first mailbox.
    const searches = statements.filter(({ sql }) => sql.includes('mailbox_id') && sql.includes('LIMIT'));
    const begins = searches.map(({ parameters: [, from] }) => Number(from));
    expect(begins.length).toBeGreaterThan(8);
    expect(begins.every((from, index) => index === 0 || from > (begins[index - 1] ?? 0))).toBe(true);
    expect(await count('mailbox WHERE domain_id = ?', domain.id)).toBe(0);
    expect(await count('alias WHERE domain_id = ?', elsewhere.id)).toBe(0);
    expect(await count('deleted_mailbox WHERE domain_id = ?', domain.id)).toBe(4_000);
    expect(await count('deleted_alias WHERE domain_id = ?', elsewhere.id)).toBe(4_000);
    expect(await count('domain WHERE id = ? AND alias_count = 0', elsewhere.id)).toBe(1);
  });

  it('lets others read between two statements of a large deletion', async () => {
    const [domain, elsewhere] = [await world.domain(), await world.domain()];
    await fill(opened.database, domain, elsewhere, 3_000);
    const deletion = { isOver: false };
    let reads = 0;
    const deleting = world.delete(domain).then(() => {
      deletion.isOver = true;
    });
    while (!deletion.isOver) {
      await world.ports.domains.findWithParent('all', elsewhere.name);
      reads += 1;
    }
    await deleting;
    expect(reads).toBeGreaterThan(3);
  });

  it('changes nothing when the deletion fails in the middle', async () => {
    const [domain, elsewhere] = [await world.domain(), await world.domain()];
    await fill(opened.database, domain, elsewhere, 2_500);
    const before = await count('tombstone');
    const failing = world.ports.unitOfWork.run(async () => {
      await tombstones.moveDomainAside(domain, DELETION);
      throw new Error('cut off');
    });
    await expect(failing).rejects.toThrow('cut off');
    expect(await count('mailbox WHERE domain_id = ?', domain.id)).toBe(2_500);
    expect(await count('alias WHERE domain_id = ?', elsewhere.id)).toBe(2_500);
    expect(await count('deleted_mailbox WHERE domain_id = ?', domain.id)).toBe(0);
    expect(await count('domain WHERE id = ? AND alias_count = 2500', elsewhere.id)).toBe(1);
    expect(await count('tombstone')).toBe(before);
  });

  it('erases a large deletion in transactions of a thousand rows, and continues after an interruption', async () => {
    const [domain, elsewhere] = [await world.domain(), await world.domain()];
    await fill(opened.database, domain, elsewhere, 2_500);
    await world.delete(domain);
    const rows = new SqlDeletedRows(opened.database, world.ports.unitOfWork);
    const write = opened.database.write.bind(opened.database);
    let writes = 0;
    opened.database.write = (sql, parameters) => {
      writes += 1;
      return writes > 2 ? Promise.reject(new Error('cut off')) : write(sql, parameters);
    };
    const eraseAll = async () => {
      while ((await rows.erase(NOW)) > 0);
    };
    await expect(eraseAll()).rejects.toThrow('cut off');
    Object.assign(opened.database, { write });
    const statements = await statementsOf(opened.database, eraseAll);
    expect(Math.max(...statements.map((statement) => statement.rows))).toBeLessThanOrEqual(1_000);
    expect(await count("deleted_mailbox WHERE domain_id = ? AND password_hash <> ''", domain.id)).toBe(0);
    expect(await count('deleted_alias WHERE domain_id = ?', elsewhere.id)).toBe(0);
    expect(await count('tombstone WHERE name = ? AND erased_at IS NOT NULL', domain.name)).toBe(1);
  });

  it('deletes the tombstone of a name although a home cannot be removed, and keeps the home until it is removed', async () => {
    const [domain, elsewhere] = [await world.domain(), await world.domain()];
    await world.send(domain);
    await fill(opened.database, domain, elsewhere, 3);
    await world.delete(Object.assign(domain, { mailboxCount: 3 }));
    const rows = new SqlDeletedRows(opened.database, world.ports.unitOfWork);
    const runAt = async (at: Date) => {
      while ((await rows.erase(NOW)) > 0);
      while ((await rows.forget(at, false)) > 0);
    };
    await runAt(NOW);
    const [left] = await opened.database.read('SELECT id FROM tombstone WHERE name = ?', [domain.name]);
    const id = Number(left?.id);
    expect(await rows.homes(id, { after: 0, limit: 10 })).toHaveLength(3);
    expect(await count('deleted_domain WHERE name = ?', domain.name)).toBe(0);
    expect(await count('outbound_counter WHERE domain_id = ?', domain.id)).toBe(0);
    for (const home of await rows.homes(id, { after: 0, limit: 10 })) await rows.forgetHome(id, home.id);
    await rows.noteMailRemoved(id, NOW);
    await runAt(NOW);
    expect(await count('tombstone WHERE name = ?', domain.name)).toBe(0);
  });

  it('finds the deleted children of a parent, and keeps a suspension and a block that are written later', async () => {
    const parent = await world.domain();
    const [child, other] = [await world.domain({ parentId: parent.id }), await world.domain()];
    for (const each of [child, other]) await world.delete(each);
    const [kept, ...more] = await tombstones.ofChildren(parent);
    expect([kept?.domain.name, more]).toEqual([child.name, []]);
    if (kept === undefined) throw new Error('There is one');
    Object.assign(kept.domain, {
      suspensionCauses: ['abuse', 'operator'],
      outboundStatus: 'blocked',
      blockedReason: 'bounce_rate',
      blockedAt: NOW,
    });
    await world.ports.unitOfWork.run(() => tombstones.saveHolds(kept));
    expect(await tombstones.find(kept.id)).toEqual(kept);
    expect((await tombstones.find(kept.id + 1))?.domain).toMatchObject({ name: other.name, outboundStatus: 'active' });
    expect(await world.ports.reader.deletedCounters(child.name)).toBe(child.id);
    expect(await world.ports.reader.deletedCounters(parent.name)).toBeNull();
  });
});

/** On tables large enough for realistic query plans. */
describe('the statements of deletion and creation', () => {
  let opened: TestDatabase;
  let world: OutboundWorld;
  let tombstones: TypeormTombstoneRepository;
  let large: Domain;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    const { database } = opened;
    world = new OutboundWorld(outboundPorts(database));
    tombstones = new TypeormTombstoneRepository(database);
    large = await world.domain();
    const others = await world.domain();
    await fill(database, large, others, 1_200);
    await database.write(
      `INSERT INTO mailbox (id, domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT 900000000 + seq, ${others.id}, CONCAT('o', seq, '@others.example'), CONCAT('o', seq), 'x', 1, 0, 1, 'h', 0 FROM seq_1_to_60000`,
    );
    await database.write(
      `INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at)
       SELECT domain_id, CONCAT('x', email), email, id, 0 FROM mailbox WHERE domain_id = ${others.id}`,
    );
    await database.write(
      `INSERT INTO tombstone (kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, counters_id, mailboxes, aliases, erased_at)
       SELECT IF(seq MOD 2, 'domain', 'mailbox'), CONCAT('n', seq MOD 2000, '.example'), seq MOD 50, 'client', 'key:1', ${NOW.getTime()} - seq, ${NOW.getTime()} - seq, 100000 + seq, 100000 + seq, 1, 0, IF(seq > 200, 1, NULL) FROM seq_1_to_8000`,
    );
    await database.write(
      `INSERT INTO deleted_domain (tombstone_id, id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       SELECT id, domain_id, name, partner_id, 0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM tombstone`,
    );
    for (const [table, columns, values] of [
      [
        'deleted_mailbox',
        'email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home',
        "CONCAT('m', id, '@x.example'), 'm', 'x', 1, 0, 1, 'h'",
      ],
      ['deleted_alias', 'address, destination', "'a', 'b'"],
    ]) {
      await database.write(
        `INSERT INTO ${table} (tombstone_id, id, domain_id, created_at, ${columns}) SELECT id, id, domain_id, 0, ${values} FROM tombstone`,
      );
    }
    await database.write(
      `INSERT INTO outbound_sender (domain_id, day, sender, day_epoch, sent) SELECT 100000 + seq, '2026-03-15', 's', 0, 1 FROM seq_1_to_8000`,
    );
    await database.write(
      'ANALYZE TABLE tombstone, deleted_domain, deleted_mailbox, deleted_alias, mailbox, alias, outbound_sender',
    );
  });
  afterAll(() => opened.close());

  const inTransaction = (work: () => Promise<unknown>) => world.ports.unitOfWork.run(work);
  const rows = () => new SqlDeletedRows(opened.database, world.ports.unitOfWork);
  const items = () => new SqlDeletedItems(opened.database);

  it.each<[string, () => Promise<unknown>]>([
    ['who had a name', () => tombstones.ofName('n7.example' as DomainName, 7, NOW)],
    ['the last limit of a mailbox', () => tombstones.lastDailyLimit('m77@x.example', 7)],
    ['what a new holder ends', () => tombstones.noteHolder(large, NOW)],
    [
      'what is handed over',
      async () => {
        const { own } = await tombstones.ofName('n7.example' as DomainName, 7, NOW);
        if (own === null) throw new Error('n7.example has no tombstone of partner 7');
        await inTransaction(() => tombstones.handOver(own, large, NOW));
      },
    ],
    ['what a move leaves', () => inTransaction(() => tombstones.keepMoved(large, systemActor('tests'), NOW))],
    ['the homes to be removed', () => rows().homes(77, { after: 0, limit: 100 })],
    ['what has to be erased', () => rows().erase(NOW)],
    ['what has to be forgotten', () => rows().forget(new Date(NOW.getTime() - 7_900), true)],
    ['what a partner can restore', () => items().search(allRowsOf(7), {}, NOW)({ after: 0, limit: 100 })],
    ['what is deleted of a domain', () => items().search('all', { domain: large.name }, NOW)({ after: 0, limit: 100 })],
    ['the rows of a deleted domain', () => world.delete(large)],
    [
      'the rows of a restored domain',
      async () => {
        const [row] = await opened.database.read("SELECT id FROM tombstone WHERE name = ? AND kind = 'domain'", [
          large.name,
        ]);
        const item = await items().find('all', Number(row?.id));
        if (item === null) throw new Error(`${large.name} is not deleted`);
        await inTransaction(async () => {
          await items().restoreDomain(item, NOW);
          await items().restoreMailboxes(item, { restoredAt: NOW, maxQuotaMb: null });
          const aliases = await items().aliases(item.id, { after: 0, limit: 400 });
          await items().aliasFacts(item.partnerId, aliases);
          await items().restoreAliases(item, aliases, NOW);
        });
      },
    ],
  ])('find %s by an index', async (_, work) => {
    const { database } = opened;
    const explain = database.read.bind(database);
    const scans: unknown[] = [];
    const statements = await statementsOf(database, work, async (sql, parameters) => {
      for (const plan of await explain(`EXPLAIN ${sql}`, parameters)) {
        const isWhole = plan.type === 'ALL' || plan.type === 'index';
        if (isWhole && plan.table !== null && Number(plan.rows) > 300) scans.push({ sql: sql.slice(0, 120), ...plan });
      }
    });
    expect(statements.length).toBeGreaterThan(0);
    expect(scans).toEqual([]);
  });
});
