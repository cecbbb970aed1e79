import { randomBytes } from 'node:crypto';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

describe('a server that refuses further connections', () => {
  let admin: TestDatabase;
  let account: string;
  let url: string;
  let database: Database;
  let sentences: string[];

  beforeAll(async () => {
    admin = await openTestDatabase('mariadb');
  });
  afterAll(() => admin.close());

  beforeEach(async () => {
    const own = new URL(admin.url ?? '');
    own.username = `u_${randomBytes(4).toString('hex')}`;
    own.password = randomBytes(12).toString('hex');
    url = own.toString();
    account = `'${own.username}'@'%'`;
    await run(`CREATE USER ${account} IDENTIFIED BY '${own.password}'`);
    await run(`GRANT ALL ON \`${own.pathname.slice(1)}\`.* TO ${account}`);
    sentences = [];
    database = await openDatabase({
      url,
      dataDir: admin.dataDir,
      poolSize: 20,
      onRefused: (sentence) => sentences.push(sentence),
    });
  });
  afterEach(async () => {
    await database.close();
    await run(`DROP USER ${account}`);
  });

  const run = (sql: string) => admin.database.writer.query(sql);
  const nameOf = () => new URL(url).pathname.slice(1);

  it.each([
    [
      '1226',
      'no more connections of the account',
      () => `ALTER USER ${account} WITH MAX_USER_CONNECTIONS 1`,
      /max_user_connections/,
    ],
    ['4151', 'a locked account', () => `ALTER USER ${account} ACCOUNT LOCK`, /account is locked/],
    [
      '1044',
      'no right on the database',
      () => `REVOKE ALL ON \`${nameOf()}\`.* FROM ${account}`,
      /Access denied for user/,
    ],
    ['1045', 'another password', () => `ALTER USER ${account} IDENTIFIED BY 'another'`, /Access denied for user/],
  ])('for error %s, %s, is 503 for reads and changes, and told once', async (_, __, change, sentence) => {
    await run(change());
    const changeOne = () =>
      new SqlUnitOfWork(database).run(() =>
        database.read("SELECT value FROM installation WHERE name = 'x' FOR UPDATE"),
      );
    // Each asks for a connection of its own: one at least is refused, and none has another error.
    const asked = Array.from({ length: 4 }, () => [
      database.read('SELECT SLEEP(0.1)'),
      changeOne(),
      database.write("UPDATE installation SET value = 'x' WHERE name = 'none'"),
    ]).flat();
    const refused = (await Promise.allSettled(asked)).filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'database_unavailable' });
    expect(sentences).toEqual([expect.stringMatching(sentence)]);
  });

  it('is told with its own sentence to whoever opens the database', async () => {
    await run(`ALTER USER ${account} ACCOUNT LOCK`);
    const opened = openDatabase({ url, dataDir: admin.dataDir, poolSize: 1 });
    await expect(opened).rejects.toThrow(/account is locked/);
  });
});
