import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let unitOfWork: SqlUnitOfWork;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    unitOfWork = new SqlUnitOfWork(opened.database);
  });
  afterAll(() => opened.close());
  beforeEach(() => opened.database.write("DELETE FROM installation WHERE name <> 'id'"));

  const set = (name: string, value: string) =>
    opened.database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [name, value]);
  const names = async () =>
    (
      await opened.database.read<{ name: string }>("SELECT name FROM installation WHERE name <> 'id' ORDER BY name")
    ).map(({ name }) => name);

  it('keeps all or nothing, including the writes of nested runs', async () => {
    await unitOfWork.run(async () => {
      await set('a', '1');
      await unitOfWork.run(() => set('b', '1'));
    });
    const failed = unitOfWork.run(async () => {
      await unitOfWork.run(() => set('c', '1'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await names()).toEqual(['a', 'b']);
  });

  it('shows its writes to others only after the commit', async () => {
    let seen: string[] = ['not asked'];
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const running = unitOfWork.run(async () => {
      await set('a', '1');
      await held;
    });
    seen = await names();
    letGo();
    await running;
    expect(seen).toEqual([]);
    expect(await names()).toEqual(['a']);
  });

  it('keeps concurrent units of work separate', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        unitOfWork.run(async () => {
          await set(`n${String(index).padStart(2, '0')}`, '1');
          if (index % 2 === 1) throw new Error('odd');
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
    expect(await names()).toHaveLength(15);
  });

  it('does not roll back writes outside of it', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const failing = unitOfWork.run(async () => {
      await set('inside', '1');
      await held;
      throw new Error('no');
    });
    const beside = set('beside', '1');
    letGo();
    await expect(failing).rejects.toThrow('no');
    await beside;
    expect(await names()).toEqual(['beside']);
  });

  it('calls effects after the commit, and not after a rollback', async () => {
    const effects: string[] = [];
    await unitOfWork.run(async () => {
      unitOfWork.afterCommit(() => effects.push('after'));
      effects.push('inside');
    });
    const failed = unitOfWork.run(async () => {
      unitOfWork.afterCommit(() => effects.push('never'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(effects).toEqual(['inside', 'after']);
  });

  it('accepts one statement in a text, and several only with `together`', async () => {
    await expect(opened.database.read('SELECT 1; SELECT 2')).rejects.toThrow('One statement at a time');
    await expect(opened.database.write('DELETE FROM installation; DELETE FROM installation')).rejects.toThrow('One');
    const read = { sql: 'SELECT value FROM installation WHERE name = ?', parameters: ['a'] };
    const rows = await unitOfWork.run(async () => {
      await set('a', '; DROP TABLE installation');
      return opened.database.together([read, null, read]);
    });
    expect(rows).toMatchObject([
      [{ value: '; DROP TABLE installation' }],
      [],
      [{ value: '; DROP TABLE installation' }],
    ]);
  });

  it('keeps the statements of `finish`, and none of them when one fails', async () => {
    const insert = (name: string) => ({
      sql: 'INSERT INTO installation (name, value) VALUES (?, ?)',
      parameters: [name, '1'],
    });
    await unitOfWork.run(() => opened.database.finish([insert('a'), null, insert('b')]));
    const failed = unitOfWork.run(() => opened.database.finish([insert('c'), insert('a')]));
    await expect(failed).rejects.toThrow(/a/);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('runs the whole work again after a deadlock', async () => {
    await set('x', '0');
    await set('y', '0');
    const both = (first: string, second: string) =>
      unitOfWork.run(async () => {
        const lock = opened.database.dialect.forUpdate;
        await opened.database.read(`SELECT value FROM installation WHERE name = ?${lock}`, [first]);
        const rows = await opened.database.read<{ value: string }>(
          `SELECT value FROM installation WHERE name = ?${lock}`,
          [second],
        );
        await opened.database.write('UPDATE installation SET value = ? WHERE name = ?', [
          String(Number(rows[0]?.value) + 1),
          second,
        ]);
      });
    await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? both('x', 'y') : both('y', 'x'))));
    const values = await opened.database.read<{ value: string }>(
      "SELECT value FROM installation WHERE name IN ('x', 'y')",
    );
    expect(values.map(({ value }) => value)).toEqual(['5', '5']);
  });
});
