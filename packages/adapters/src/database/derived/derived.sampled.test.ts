import { Domain } from '@mailstead/core/domains/domain';
import { Partner, type PartnerRef } from '@mailstead/core/partners/partner';
import { Verification } from '@mailstead/core/relay/verification';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../../scripts/fast-check.mjs';
import type { Database, Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { PartnerWorld } from '../testing/partner-world.js';
import { correctDerived } from './correct-derived.js';
import type { Derived } from './derived.js';

const RUNS = sampleSize(60, 20);
const REFS = ['acme', 'rival'];

/** Values of the columns that a draw writes. */
const VALUES: Record<string, Record<string, Parameter[]>> = {
  domain: {
    inbound: ['open', 'pending'],
    suspension_causes: ['', 'billing', 'abuse', 'abuse,operator'],
    outbound_status: ['active', 'blocked'],
    inherited_until: [null, 5, 9_000_000_000_000],
    retention_days: [0, 30],
    transfer_monthly_mb: [0, 7],
  },
  verification: { status: ['unverified', 'verified', 'pending', 'failed'], at_risk_since: [null, 4] },
  partner: { stage: [null, 'changes', 'all'] },
};

/** A change of the rows of the world, by the numbers that are drawn. */
type Change = (draw: Draw) => Promise<unknown>;
interface Draw {
  which: number;
  other: number;
  value: number;
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let database: Database;
  let world: PartnerWorld;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ({ database } = opened);
    world = new PartnerWorld(database);
    for (const ref of REFS) for (let index = 0; index < 3; index += 1) await world.createDomain(ref);
    const [parent] = await domains();
    if (parent !== undefined) for (let index = 0; index < 2; index += 1) await newChild(parent);
  });
  afterAll(() => opened.close());

  const tables = () => database.derived.tables;
  const domains = async (): Promise<Domain[]> => database.manager.find(Domain, { order: { id: 'ASC' }, where: {} });
  const newChild = async (parent: Domain) => {
    const child = await world.createDomain(parent.partnerRef ?? '', world.newName(parent.name));
    await world.setParent(child, parent.name);
  };
  const of = <Item>(list: readonly Item[], index: number): Item => {
    const found = list[index % list.length];
    if (found === undefined) throw new Error('The list is empty');
    return found;
  };

  /** The rows that are and those that must be, where they differ. */
  async function differences(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const derived of tables()) {
      const [are, must] = [await stored(derived), await expected(derived)];
      if (JSON.stringify(are) !== JSON.stringify(must)) found.push({ table: derived.table, are, must });
    }
    return found;
  }
  const stored = async ({ table, columns }: Derived) =>
    texts(await database.read(`SELECT ${columns.join(', ')} FROM ${table}`));
  const expected = async ({ rows, columns }: Derived) =>
    texts(await database.read(`SELECT ${columns.join(', ')} FROM (${rows}) AS r`));
  const texts = (rows: Record<string, unknown>[]) =>
    rows.map((row) => JSON.stringify(Object.values(row).map(String))).toSorted();

  const idsOf = async (table: string) =>
    (
      await database.read(`SELECT ${table === 'verification' ? 'domain_id' : 'id'} AS id FROM ${table} ORDER BY id`)
    ).map(({ id }) => Number(id));

  /** With SQL, the query builder and the repositories. */
  const changes: Record<string, Change> = {
    ...Object.fromEntries(
      Object.entries(VALUES).flatMap(([table, columns]) =>
        Object.entries(columns)
          .filter(([, values]) => values.length > 0)
          .map(([column, values]): [string, Change] => [
            `UPDATE ${table} SET ${column}`,
            async ({ which, other, value }) => {
              const ids = await idsOf(table);
              const key = table === 'verification' ? 'domain_id' : 'id';
              await database.write(`UPDATE ${table} SET ${column} = ? WHERE ${key} IN (?, ?)`, [
                of(values, value),
                of(ids, which),
                of(ids, other),
              ]);
            },
          ]),
      ),
    ),
    'the query builder updates a domain': async ({ which, value }) => {
      const { id } = of(await domains(), which);
      await database.manager.update(
        Domain,
        { id },
        { inbound: value % 2 === 0 ? 'open' : 'pending', retentionDays: value },
      );
    },
    'the query builder updates a verification': async ({ which, value }) => {
      const { id } = of(await domains(), which);
      await database.manager.update(
        Verification,
        { domainId: id },
        { status: value % 2 === 0 ? 'verified' : 'failed' },
      );
    },
    'the query builder updates a partner': async ({ which, value }) => {
      await database.manager.update(
        Partner,
        { id: of(await idsOf('partner'), which) },
        { stage: value % 2 === 0 ? 'all' : null },
      );
    },
    'a locked domain is saved twice': async ({ which, value }) => {
      const domain = await world.ports.domains.lockById(of(await domains(), which).id);
      if (domain === null) return;
      const before = domain.outboundStatus;
      domain.outboundStatus = before === 'active' ? 'blocked' : 'active';
      await world.ports.domains.save(domain);
      if (value % 2 === 0) domain.outboundStatus = before;
      domain.inheritedUntil = value % 3 === 0 ? null : new Date(value);
      await world.ports.domains.save(domain);
      const { outboundStatus, inheritedUntil } = domain;
      expect(await world.ports.domains.lockById(domain.id)).toMatchObject({ outboundStatus, inheritedUntil });
    },
    'a domain is saved that was not locked': async ({ which, value }) => {
      const domain = of(await domains(), which);
      domain.suspensionCauses = value % 2 === 0 ? ['abuse'] : [];
      await world.ports.domains.save(domain);
    },
    'a verification is saved': async ({ which, value }) => {
      const verification = await world.ports.verifications.lock(of(await domains(), which).id);
      if (verification === null) return;
      verification.status = value % 2 === 0 ? 'verified' : 'pending';
      await world.ports.verifications.save(verification);
    },
    'a partner is suspended or not': async ({ which, value }) => {
      const partner = await world.ports.partners.lockOrCreate(of(REFS, which) as PartnerRef);
      partner.stage = of([null, 'changes', 'all'] as const, value);
      await world.ports.partners.save(partner);
    },
    'children are opened': async ({ which }) => world.ports.domains.openPendingChildren(of(await domains(), which).id),
    'verifications are started': () => world.ports.verifications.startMissing(new Date(7)),
    'a domain is created': ({ which }) => world.createDomain(of(REFS, which)),
    'a child is created': async ({ which }) => {
      const parent = of(await domains(), which);
      if (parent.parentId === null) await newChild(parent);
    },
    'a domain is deleted': async ({ which }) => {
      const all = await domains();
      const free = all.filter(({ id }) => all.length > 6 && all.every(({ parentId }) => parentId !== id));
      if (free.length > 0) await world.deleteDomain(of(free, which));
    },
    'a domain is moved': async ({ which }) => {
      const all = await domains();
      const free = all.filter(({ id, parentId }) => parentId === null && all.every((each) => each.parentId !== id));
      if (free.length > 0) await world.moveDomain(of(free, which), of(REFS, which + 1)).catch(ignoreSamePartner);
    },
    'a child loses its parent': async ({ which }) => {
      await database.write('UPDATE domain SET parent_id = NULL WHERE id = ?', [of(await domains(), which).id]);
    },
  };

  const step = fc.record({
    name: fc.constantFrom(...Object.keys(changes)),
    which: fc.nat(50),
    other: fc.nat(50),
    value: fc.nat(50),
  });
  const unit = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    end: fc.constantFrom('commit', 'roll back', 'alone'),
  });

  it('are what `rows` says after any writes, committed, rolled back or without a unit of work', async () => {
    expect(await differences()).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 5 }), async (units) => {
        for (const { steps, end } of units) {
          const work = async () => {
            for (const { name, ...draw } of steps) await changes[name]?.(draw);
            if (end === 'roll back') throw new Error('rolled back');
          };
          if (end === 'alone') await work();
          else await world.ports.unitOfWork.run(work).catch(ignoreRollBack);
        }
        expect(await differences()).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(await correctDerived(database)).toBe(0);
  });

  it('depend on no column of a source that is not declared', async () => {
    const forgotten: string[] = [];
    for (const derived of tables()) {
      const before = await expected(derived);
      expect(before.length).toBeGreaterThan(0);
      for (const source of derived.sources) {
        const declared = Object.values(source.columns).flatMap((columns) => [...(columns ?? [])]);
        for (const { databaseName } of metadataOf(source.table).columns.filter(
          ({ isVirtualProperty }) => !isVirtualProperty,
        )) {
          if (declared.includes(databaseName) || databaseName === source.key) continue;
          for (const value of [0, 1, 'x', null, 'abuse']) {
            const after = await withValue(source.table, databaseName, value, () => expected(derived));
            if (after !== null && JSON.stringify(after) !== JSON.stringify(before))
              forgotten.push(`${source.table}.${databaseName}`);
          }
        }
      }
    }
    expect(forgotten).toEqual([]);
  });

  it('are declared with columns and finders that exist', () => {
    for (const { table, key, columns, of: described, finders, sources } of tables()) {
      expect(namesOf(table)).toEqual(expect.arrayContaining([key, ...columns]));
      expect(namesOf(described)).toEqual(expect.arrayContaining(Object.keys(finders)));
      for (const { table: source, key: id, columns: read, existence = [] } of sources) {
        const named = [id, ...existence, ...Object.values(read).flatMap((names) => [...(names ?? [])])];
        expect(namesOf(source)).toEqual(expect.arrayContaining(named));
      }
    }
  });

  it('are not changed by a statement that does not tell what it writes: it does not start', async () => {
    const [source] = tables().flatMap(({ sources }) => sources);
    if (source === undefined) return;
    const before = await database.read('SELECT * FROM domain ORDER BY id');
    for (const sql of [
      "UPDATE domain SET inbound = 'pending'",
      "UPDATE domain SET inbound = 'pending' WHERE name = 'd.example'",
      "UPDATE domain SET inbound = 'pending' WHERE id = ? OR id > 0",
      "UPDATE domain d JOIN partner p ON p.id = d.partner_id SET d.inbound = 'pending'",
      "UPDATE domain SET domain.inbound = 'pending'",
      "UPDATE IGNORE domain SET inbound = 'pending' WHERE id = 1",
      "update domain set inbound = 'pending' where id = 1",
      'INSERT INTO domain SELECT * FROM domain',
      "INSERT INTO domain (id, name) VALUES (?, 'd.example') ON DUPLICATE KEY UPDATE inbound = 'pending'",
      "INSERT INTO partner (id, ref) VALUES (?, 'x') ON DUPLICATE KEY UPDATE stage = 'all'",
      'DELETE d FROM domain d WHERE d.id = 1',
      'DELETE FROM domain',
      "DELETE FROM verification WHERE status = 'verified'",
    ]) {
      const write = () => database.write(sql, sql.includes('?') ? [1] : []);
      await expect(write()).rejects.toThrow(/names its columns|does not tell/);
      await expect(world.ports.unitOfWork.run(write)).rejects.toThrow(/names its columns|does not tell/);
    }
    expect(await database.read('SELECT * FROM domain ORDER BY id')).toEqual(before);
  });

  const metadataOf = (table: string) => {
    const found = database.writer.entityMetadatas.find(({ tableName }) => tableName === table);
    if (found === undefined) throw new Error(`There is no table ${table}`);
    return found;
  };
  const namesOf = (table: string) => metadataOf(table).columns.map(({ databaseName }) => databaseName);

  /** Writes a column of all rows, and rolls back. @returns null when the column cannot have the value */
  async function withValue<T>(
    table: string,
    column: string,
    value: Parameter,
    read: () => Promise<T>,
  ): Promise<T | null> {
    let found: T | null = null;
    await world.ports.unitOfWork
      .run(async () => {
        await database.write(`UPDATE ${table} SET ${column} = ?`, [value], []);
        found = await read();
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    return found;
  }
});

function ignoreRollBack(error: unknown): void {
  if (!(error instanceof Error && error.message === 'rolled back')) throw error;
}

function ignoreSamePartner(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('partner'))) throw error;
}
