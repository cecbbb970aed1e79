import { AppError } from '@mailstead/core/errors';
import { WriteProbe } from '../health/write-probe.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

/** Fills three pages. */
const TEXT = 'x'.repeat(9_000);
const NO_LIMIT = 1_000_000;

describe('a full disk under the embedded database', () => {
  let opened: TestDatabase;
  let unitOfWork: SqlUnitOfWork;

  beforeEach(async () => {
    opened = await openTestDatabase('sqlite');
    unitOfWork = new SqlUnitOfWork(opened.database);
  });
  afterEach(() => opened.close());

  const pragma = async (name: string): Promise<number> => {
    const rows = (await opened.database.writer.query(`PRAGMA ${name}`)) as Record<string, number>[];
    return Object.values(rows[0] ?? {}).at(0) ?? 0;
  };
  /** Limits the file to this many additional pages. */
  const leaveRoom = async (pages: number) => pragma(`max_page_count = ${(await pragma('page_count')) + pages}`);
  const makeRoom = () => pragma(`max_page_count = ${NO_LIMIT}`);
  const insert = (name: string) => ({
    sql: 'INSERT INTO installation (name, value) VALUES (?, ?)',
    parameters: [name, TEXT],
  });
  const set = (name: string) => opened.database.write(insert(name).sql, insert(name).parameters);
  /** The committed rows, read with the reading connection. */
  const names = async () =>
    (
      await opened.database.read(
        "SELECT name FROM installation WHERE name NOT IN ('id', 'served_from', 'usage_months_from') ORDER BY name",
      )
    ).map(({ name }) => String(name));

  it('keeps all of a unit of work or nothing, for a disk that is full at any of its statements', async () => {
    const failedAt = new Set<string>();
    const kept: string[] = [];
    let pages = 0;
    for (let done = false; !done; pages += 1) {
      await leaveRoom(pages);
      let step = '';
      const run = unitOfWork.run(async () => {
        step = 'first';
        await set('a');
        step = 'nested';
        await unitOfWork.run(() => set('b'));
        step = 'several rows';
        await opened.database.write(
          "INSERT INTO installation (name, value) SELECT 'c' || name, value || value FROM installation WHERE name IN ('a', 'b')",
        );
        step = 'together';
        await opened.database.together([insert('d'), insert('e')]);
        step = 'at once';
        await Promise.all([set('f'), set('g')]);
        step = 'finish';
        await opened.database.finish([insert('h'), insert('i')]);
      });
      const error: unknown = await run.then(
        () => null,
        (reason: unknown) => reason,
      );
      done = error === null;
      if (error !== null) {
        expect(error).toMatchObject({ code: 'disk_full', kind: 'unavailable' });
        failedAt.add(step);
        expect(await names()).toEqual(kept);
      }
      await makeRoom();
      if (error !== null) await opened.database.write('UPDATE installation SET value = ? WHERE name = ?', ['1', 'id']);
    }
    expect([...failedAt]).toEqual(['first', 'nested', 'several rows', 'together', 'at once', 'finish']);
    expect(await names()).toEqual(['a', 'b', 'ca', 'cb', 'd', 'e', 'f', 'g', 'h', 'i']);
  });

  it('keeps nothing of a unit of work that continues after a refused write', async () => {
    await set('large');
    await leaveRoom(2);
    const work = unitOfWork.run(async () => {
      await set('before');
      await opened.database
        .write('UPDATE installation SET value = ? WHERE name = ?', ['x'.repeat(100_000), 'large'])
        .catch(() => undefined);
      await opened.database.write("DELETE FROM installation WHERE name = 'large'");
    });
    await expect(work).rejects.toMatchObject({ code: 'disk_full' });
    expect(await names()).toEqual(['large']);
  });

  it('commits every single write that returned, before and after a refused write', async () => {
    await leaveRoom(3);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => set(`n${index}`)));
    const answered = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`n${index}`] : []));
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(AppError);
    expect(answered.length).toBeLessThan(20);
    await makeRoom();
    await set('after');
    expect(new Set(await names())).toEqual(new Set([...answered, 'after']));
  });

  it('leaves no open transaction after a failed COMMIT', async () => {
    const work = unitOfWork.run(async () => {
      await opened.database.write('PRAGMA defer_foreign_keys = ON');
      await set('refused');
      await opened.database.write(
        "INSERT INTO alias (domain_id, address, destination, created_at) VALUES (99, 'a@b.example', 'c@b.example', 0)",
      );
    });
    await expect(work).rejects.toThrow('FOREIGN KEY');
    await set('after');
    expect(await names()).toEqual(['after']);
  });

  it('refuses statements of a unit of work that has ended', async () => {
    const work = unitOfWork.run(async () => {
      await opened.database.finish([insert('a')]);
      await set('late');
    });
    await expect(work).rejects.toThrow('has ended');
    expect(await names()).toEqual(['a']);
  });

  it('is reported by the probe until the disk has space again', async () => {
    const probe = () => new WriteProbe(opened.database, unitOfWork).problem();
    expect(await probe()).toBeNull();
    await leaveRoom(0);
    for (let index = 0; (await probe()) === null; index += 1) await set(`fill${index}`);
    expect(await probe()).toContain('full');
    await makeRoom();
    expect(await probe()).toBeNull();
    expect(opened.database.refusal).toBeNull();
  });

  it('is reported at once after a refused write, even when a probe has just succeeded', async () => {
    const probe = new WriteProbe(opened.database, unitOfWork);
    expect(await probe.problem()).toBeNull();
    await leaveRoom(0);
    const large = opened.database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [
      'large',
      'x'.repeat(1_000_000),
    ]);
    await expect(large).rejects.toMatchObject({ code: 'disk_full' });
    expect(await probe.problem()).toContain('full');
  });
});
