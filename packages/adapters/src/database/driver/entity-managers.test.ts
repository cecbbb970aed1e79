import { Partner } from '@mailstead/core/partners/partner';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { isDuplicateError } from './database-error.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let unitOfWork: SqlUnitOfWork;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    unitOfWork = new SqlUnitOfWork(opened.database);
  });
  afterAll(() => opened.close());
  beforeEach(() => opened.database.write("DELETE FROM partner WHERE ref <> ''", [], []));

  const manager = () => opened.database.manager;
  const insert = (...refs: string[]) =>
    manager().insert(
      'Partner',
      refs.map((ref) => ({ ref, domainCount: 0, lastCreatedAt: new Date(5) })),
    );
  const byRef = (ref: string) => manager().createQueryBuilder(Partner, 'p').where('p.ref = :ref', { ref });
  const refs = async () =>
    (await opened.database.read("SELECT ref FROM partner WHERE ref <> '' ORDER BY ref")).map(({ ref }) => ref);

  it("writes and reads in the caller's unit of work, and is rolled back with it", async () => {
    const failed = unitOfWork.run(async () => {
      await insert('a');
      expect(await byRef('a').getOne()).toMatchObject({ ref: 'a', lastCreatedAt: new Date(5) });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await refs()).toEqual([]);
  });

  it('keeps concurrent units of work separate, although they share the manager', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        unitOfWork.run(async () => {
          await insert(`n${String(index).padStart(2, '0')}`);
          if (index % 2 === 1) throw new Error('odd');
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
    expect(await refs()).toHaveLength(15);
  });

  it('commits each write outside a unit of work', async () => {
    await insert('a');
    expect(await refs()).toEqual(['a']);
  });

  it('reads and writes its own database beside another one, although both share the metadata', async () => {
    const other = await openTestDatabase(kind);
    expect(other.database.metadata(Partner)).toBe(opened.database.metadata(Partner));
    await insert('a');
    await other.database.manager.insert('Partner', { ref: 'b', domainCount: 0, lastCreatedAt: new Date(5) });
    expect(await refs()).toEqual(['a']);
    expect(await byRef('b').getOne()).toBeNull();
    await other.close();
    expect(await byRef('a').getOne()).toMatchObject({ ref: 'a' });
  });

  it('sets the generated id of a single row, as a number, and no id for several or ignored rows', async () => {
    const row = (ref: string) => ({ ref, domainCount: 0, lastCreatedAt: new Date(0) });
    const [one, again, several] = [row('one'), row('one'), [row('x'), row('y')]];
    await manager().insert('Partner', one);
    await manager().createQueryBuilder().insert().into('Partner').values(again).orIgnore().execute();
    await manager().insert('Partner', several);
    const [stored] = await opened.database.read("SELECT id FROM partner WHERE ref = 'one'");
    expect([one, again, ...several].map((inserted) => ('id' in inserted ? inserted.id : null))).toEqual([
      stored?.id,
      null,
      null,
      null,
    ]);
  });

  it('sends the same SQL for a statement with other numbers', async () => {
    const texts = new Set<string>();
    const write = opened.database.write.bind(opened.database);
    opened.database.write = (sql, parameters) => {
      texts.add(sql);
      return write(sql, parameters);
    };
    await manager().insert('Partner', { ref: 'a', domainCount: 1, lastCreatedAt: new Date(1) });
    await manager().insert('Partner', { ref: 'b', domainCount: 2, lastCreatedAt: new Date(2) });
    Object.assign(opened.database, { write });
    expect(texts.size).toBe(1);
    expect((await byRef('b').getOneOrFail()).lastCreatedAt).toEqual(new Date(2));
  });

  it('reports the number of rows that an update and a delete affected', async () => {
    await insert('a', 'b');
    const updated = await manager().update('Partner', { ref: 'a' }, { domainCount: 7 });
    const deleted = await manager().delete('Partner', { ref: 'nobody' });
    expect([updated.affected, deleted.affected]).toEqual([1, 0]);
  });

  it('ignores an existing row with `orIgnore`, and overwrites it with `orUpdate`', async () => {
    await insert('a');
    const row = { ref: 'a', domainCount: 9, lastCreatedAt: new Date(0) };
    await manager().createQueryBuilder().insert().into('Partner').values(row).orIgnore().execute();
    expect((await byRef('a').getOneOrFail()).domainCount).toBe(0);
    await manager()
      .createQueryBuilder()
      .insert()
      .into('Partner')
      .values(row)
      .orUpdate(['domain_count'], ['ref'])
      .execute();
    expect((await byRef('a').getOneOrFail()).domainCount).toBe(9);
  });

  it('makes a unit of work wait for a row that another one has locked', async () => {
    await insert('a');
    const events: string[] = [];
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const first = unitOfWork.run(async () => {
      await byRef('a').setLock('pessimistic_write').getOne();
      locked();
      // The first unit of work can run statements while the second one waits for the row.
      for (let left = 20; left > 0; left -= 1) await opened.database.read('SELECT COUNT(*) FROM partner');
      await manager().update('Partner', { ref: 'a' }, { domainCount: 1 });
      events.push('first');
    });
    await isLocked;
    const second = unitOfWork.run(async () => {
      const partner = await byRef('a').setLock('pessimistic_write').getOneOrFail();
      events.push(`second saw ${partner.domainCount}`);
    });
    await Promise.all([first, second]);
    expect(events).toEqual(['first', 'second saw 1']);
  });

  it('refuses a lock outside a unit of work', async () => {
    await expect(byRef('a').setLock('pessimistic_write').getOne()).rejects.toThrow(/transaction is required/);
  });

  it("refuses TypeORM's own transactions", async () => {
    await expect(manager().transaction(() => insert('a'))).rejects.toThrow(/unit of work/);
    await expect(manager().save(Partner, { ref: 'a' } as Partner)).rejects.toThrow(/unit of work/);
    expect(await refs()).toEqual([]);
  });

  it('refuses a date that no transformer converted to a number, and a second statement', async () => {
    await expect(byRef('a').andWhere('p.lastCreatedAt > :at', { at: new Date() }).getOne()).rejects.toThrow(/Date/);
    await expect(byRef('a').andWhere("p.ref <> ';'").getOne()).rejects.toThrow('One statement at a time');
  });

  it('reports a duplicate key like every other statement', async () => {
    await insert('a');
    const error = await insert('a').catch((thrown: unknown) => thrown);
    expect(isDuplicateError(error)).toBe(true);
  });

  it('retries work after a deadlock or a lock time-out', async () => {
    await insert('a', 'b');
    // The two units of work lock the rows in opposite order.
    const addTo = async (...names: string[]) => {
      for (const ref of names) {
        const partner = await byRef(ref).setLock('pessimistic_write').getOneOrFail();
        await manager().update('Partner', { ref }, { domainCount: partner.domainCount + 1 });
      }
    };
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        unitOfWork.run(() => (index % 2 === 0 ? addTo('a', 'b') : addTo('b', 'a'))),
      ),
    );
    expect((await byRef('a').getOneOrFail()).domainCount).toBe(10);
    expect((await byRef('b').getOneOrFail()).domainCount).toBe(10);
  });
});
