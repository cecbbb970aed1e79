import type { Domain } from '@mailstead/core/domains/domain';
import { anIncrement, OutboundWorld } from '@mailstead/core/testing/outbound-world';
import type { Database, Statement } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { waitingForLock } from '../testing/lock-waits.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { SqlOutboundLedger } from './outbound-ledger.js';

/** Only on MariaDB, because SQLite has one writer. */
describe('a batch with concurrent changes', () => {
  let main: TestDatabase;
  let elsewhere: Database;
  let ports: ReturnType<typeof outboundPorts>;
  let world: OutboundWorld;
  let other: OutboundWorld;

  beforeAll(async () => {
    main = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: main.url, dataDir: main.dataDir, poolSize: 10 });
    ports = outboundPorts(main.database);
    world = new OutboundWorld(ports);
    other = new OutboundWorld(outboundPorts(elsewhere));
  });
  afterAll(async () => {
    await elsewhere.close();
    await main.close();
  });

  const link = (child: Domain, parentId: number) =>
    ports.unitOfWork.run(() => ports.domains.save(Object.assign(child, { parentId })));

  it('counts for the parent that another batch of the process found while this one waited for a lock', async () => {
    const [parent, child] = [await world.domain(), await world.domain()];
    await world.send(child);
    const sending = await other.ports.unitOfWork.run(async () => {
      await other.ports.ledger.lockAndRead([anIncrement(child)], other.clock.now());
      const waiting = world.send(child, { count: 2 });
      await waitingForLock(main.database, 'outbound_counter');
      await link(child, parent.id);
      await ports.unitOfWork.run(() => ports.ledger.read([anIncrement(child)], world.clock.now()));
      return { waiting };
    });
    expect(await sending.waiting).toMatchObject({ allowed: true, sentToday: 3 });
    expect(await world.live(parent)).toMatchObject({ sentToday: 2 });
  });

  it('does not treat a domain whose parent is deleted between its statements as one without a parent', async () => {
    const parent = await world.domain();
    const child = await world.domain({ parentId: parent.id }, { status: 'pending' });
    await world.send(child);
    const deleteParent = () =>
      other.ports.unitOfWork.run(async () => {
        child.unlink(true, other.clock.now());
        await other.ports.domains.save(child);
        await other.delete(parent);
      });
    let isOver = false;
    const interrupted: Database = Object.assign(Object.create(main.database) as Database, {
      together: async (statements: readonly (Statement | null)[]) => {
        const rows = [];
        for (const statement of statements) {
          rows.push(...(await main.database.together([statement])));
          if (isOver || !statement?.sql.includes('d.name IN')) continue;
          isOver = true;
          await deleteParent();
        }
        return rows;
      },
    });
    const ledger = new SqlOutboundLedger(interrupted);
    const waiting = new OutboundWorld({ ...ports, ledger });
    expect(await waiting.send(child)).toMatchObject({ allowed: true, reason: null });
    expect(isOver).toBe(true);
  });

  it('never deadlocks with a batch of another process that counts the same mailboxes through the same domains', async () => {
    const errors: unknown[] = [];
    const noting = (database: Database): Database =>
      Object.assign(Object.create(database) as Database, {
        together: (statements: readonly (Statement | null)[]) =>
          database.together(statements).catch((error: unknown) => {
            errors.push(error);
            throw error;
          }),
      });
    const processes = [
      new OutboundWorld({ ...ports, ledger: new SqlOutboundLedger(noting(main.database)) }),
      new OutboundWorld({ ...other.ports, ledger: new SqlOutboundLedger(noting(elsewhere)) }),
    ];
    const [one, two] = [await world.domain(), await world.domain()];
    const [anna, bert] = [await world.mailbox(one, 'anna', 50), await world.mailbox(two, 'bert', 50)];
    // The counters exist, so that no batch must insert them.
    for (const domain of [one, two]) await world.send(domain);
    const crossed = [anIncrement(one, { sender: bert.email }), anIncrement(two, { sender: anna.email })];
    const rounds = Array.from({ length: 30 }, (_, index) =>
      Promise.all(
        processes.map((each) =>
          each.countOutbound.executeAll([crossed[index % 2], crossed[1 - (index % 2)]].flatMap((item) => item ?? [])),
        ),
      ),
    );
    await Promise.all(rounds);
    const sent = async (domain: Domain) => (await world.live(domain)).sentToday;
    expect([await sent(one), await sent(two), errors]).toEqual([51, 51, []]);
  });
});
