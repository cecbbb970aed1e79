import type { Domain } from '@mailstead/core/domains/domain';
import { withCause, withoutCause } from '@mailstead/core/domains/suspension';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import fc from '../../../../../scripts/fast-check.mjs';
import { type Database, takeLast } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { createFormerViews, viewDifferences } from '../testing/former-views.js';
import { PartnerWorld } from '../testing/partner-world.js';

const ROUNDS = sampleSize(150, 50);

/** A change in the unit of work of a process. */
type Change = (world: PartnerWorld) => Promise<unknown>;

/** Only on MariaDB, because SQLite has one writer and no mail servers. Two processes on one database. */
describe('two transactions that change what one row is computed from', () => {
  let opened: TestDatabase;
  let elsewhere: Database;
  let here: PartnerWorld;
  let there: PartnerWorld;
  let parent: Domain;
  let child: Domain;
  let other: Domain;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 10 });
    here = new PartnerWorld(opened.database);
    there = new PartnerWorld(elsewhere);
    await createFormerViews(opened.database);
    parent = await here.createDomain('acme');
    [child, other] = [await newChild(here), await newChild(here)];
    for (const each of [child, other]) await here.setParent(each, parent.name);
    await run(
      here,
      toggleVerification(() => parent),
    );
  });
  afterAll(async () => {
    await elsewhere.close();
    await opened.close();
  });

  const newChild = (world: PartnerWorld) => world.createDomain('acme', world.newName(parent.name));

  const changeDomain =
    (which: () => Domain, change: (domain: Domain) => void): Change =>
    async ({ ports }) => {
      const domain = await ports.domains.lockById(which().id);
      if (domain === null) return;
      change(domain);
      await ports.domains.save(domain);
    };
  const toggleVerification =
    (which: () => Domain): Change =>
    async ({ ports }) => {
      const verification = await ports.verifications.lock(which().id);
      if (verification === null) return;
      verification.status = verification.status === 'verified' ? 'failed' : 'verified';
      await ports.verifications.save(verification);
    };
  const toggleCause = (which: () => Domain, cause: 'abuse' | 'billing') =>
    changeDomain(which, (domain) => {
      const { suspensionCauses: causes } = domain;
      domain.suspensionCauses = causes.includes(cause) ? withoutCause(causes, cause) : withCause(causes, cause);
    });
  const togglePartner =
    (stage: 'changes' | 'all', ref = 'acme'): Change =>
    async ({ ports }) => {
      const partner = await ports.partners.lockOrCreate(ref as PartnerRef);
      partner.stage = partner.stage === null ? stage : null;
      await ports.partners.save(partner);
    };

  /** Each is made and undone by turns. */
  const inheritedChanges: Record<string, Change> = {
    'suspends the parent for abuse': toggleCause(() => parent, 'abuse'),
    'blocks the parent': changeDomain(
      () => parent,
      (domain) =>
        domain.outboundStatus === 'blocked' ? domain.unblock(new Date(0)) : domain.block('operator', new Date(0)),
    ),
    'changes the verification of the parent': toggleVerification(() => parent),
    'suspends the partner': togglePartner('all'),
    'stops the changes of the partner': togglePartner('changes'),
  };
  const ownChanges: Record<string, Change> = {
    'suspends the child': toggleCause(() => child, 'billing'),
    'opens the child': changeDomain(
      () => child,
      (domain) => {
        domain.inbound = domain.inbound === 'open' ? 'pending' : 'open';
      },
    ),
    'links the child': changeDomain(
      () => child,
      (domain) => {
        domain.parentId = domain.parentId === null ? parent.id : null;
      },
    ),
    'changes the verification of the child': toggleVerification(() => child),
    'creates a child': async (world) => {
      const { id } = await newChild(world);
      await changeDomain(
        () => ({ id }) as Domain,
        (domain) => {
          domain.parentId = parent.id;
        },
      )(world);
    },
  };

  const run = (world: PartnerWorld, change: Change) => world.ports.unitOfWork.run(() => change(world));

  /** Lets the first transaction compute its rows, and commits it when the second one has ended or waits for a lock. */
  async function overtaken(first: Change, second: Change): Promise<void> {
    const progress = { isOver: false };
    let computed: () => void = () => undefined;
    const hasComputed = new Promise<void>((resolve) => {
      computed = resolve;
    });
    const { database } = opened;
    const firstRun = run(here, async (world) => {
      await first(world);
      const transaction = database.currentTransaction();
      if (transaction !== undefined) await database.together(takeLast(transaction));
      computed();
      await until('the second transaction', async () => progress.isOver || (await isOneWaiting()));
    });
    await Promise.race([hasComputed, firstRun]);
    const secondRun = run(there, second).finally(() => {
      progress.isOver = true;
    });
    await Promise.all([firstRun, secondRun]);
  }

  /** Asked of the server outside any unit of work. */
  async function isOneWaiting(): Promise<boolean> {
    const [waits] = await watcher.read("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'");
    return Number(waits?.Value) > 0;
  }

  let watcher: Database;
  beforeAll(async () => {
    watcher = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 2 });
  });
  afterAll(() => watcher.close());

  it.each(
    Object.keys(inheritedChanges).flatMap((inherited) =>
      Object.keys(ownChanges).map((own) => [inherited, own] as const),
    ),
  )('leave the row that both make: one %s, the other %s', async (inherited, own) => {
    const [first, second] = [inheritedChanges[inherited], ownChanges[own]];
    if (first === undefined || second === undefined) throw new Error('There is no such change');
    for (let round = 0; round < 2; round += 1) {
      await overtaken(first, second);
      expect(await viewDifferences(opened.database)).toEqual([]);
      await overtaken(second, first);
      expect(await viewDifferences(opened.database)).toEqual([]);
    }
  });

  it('and many at once leave all rows right', async () => {
    const all = { ...inheritedChanges, ...ownChanges };
    const change = fc.constantFrom(...Object.keys(all));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (names) => {
        await Promise.all(
          names.map((name, index) => run(index % 2 === 0 ? here : there, all[name] ?? (() => Promise.resolve()))),
        );
        expect({ names, wrong: await viewDifferences(opened.database) }).toEqual({ names, wrong: [] });
      }),
      { numRuns: ROUNDS, endOnFailure: true },
    );
  });

  it('of which one moves a domain and the other suspends a partner leave the row of its present partner', async () => {
    for (const ref of ['rival', 'acme', 'rival', 'acme']) {
      await Promise.all([run(here, togglePartner('all', 'rival')), there.moveDomain(other, ref)]);
      expect(await viewDifferences(opened.database)).toEqual([]);
    }
  });
});
