import { KeyChain } from '@mailstead/core/api-keys/key-chain';
import type { Domain } from '@mailstead/core/domains/domain';
import type { Actor } from '@mailstead/core/operators/actor';
import { clientOfKey } from '@mailstead/core/operators/caller';
import { anApiKey } from '@mailstead/core/testing/builders';
import { sampleSize } from '@mailstead/core/testing/sampled';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { waitingForLock } from '../testing/lock-waits.js';
import { PartnerWorld } from '../testing/partner-world.js';

const ROUNDS = sampleSize(25, 8);

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let world: PartnerWorld;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    world = new PartnerWorld(opened.database);
  });
  afterAll(() => opened.close());

  /** Repeats concurrent changes, each time with a new domain of partner `rounds`. */
  async function inRounds(atOnce: (domain: Domain) => Promise<unknown>[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const domain = await world.createDomain('rounds');
      await Promise.allSettled(atOnce(domain));
    }
  }

  it('keeps every count right when domains are moved and deleted at once', async () => {
    await inRounds((domain) => [world.moveDomain(domain, 'other'), world.deleteDomain(domain)]);
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('keeps every count right when domains are moved and given a mailbox at once', async () => {
    await inRounds((domain) => [
      world.createMailbox(domain, 'info'),
      world.moveDomain(domain, 'other'),
      world.createMailbox(domain, 'sales'),
    ]);
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('keeps every count right when an alias and the mailbox it delivers to are deleted at once', async () => {
    const elsewhere = await world.createDomain('rounds');
    for (let round = 0; round < ROUNDS; round += 1) {
      const domain = await world.createDomain('rounds');
      const mailbox = await world.createMailbox(domain, 'info');
      const alias = await world.createAlias(elsewhere, `to-${round}`, mailbox);
      await Promise.allSettled([world.deleteAlias(alias.id), world.deleteMailbox(mailbox)]);
    }
    expect(await world.wrongCounts()).toEqual([]);
  });
});

/** The order is forced with a second process. Only on MariaDB, because SQLite has one writer. */
describe('between the read and the lock of a domain', () => {
  let opened: TestDatabase;
  let elsewhere: Database;
  let world: PartnerWorld;
  let other: PartnerWorld;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 10 });
    world = new PartnerWorld(opened.database);
    other = new PartnerWorld(elsewhere);
  });
  afterAll(async () => {
    await elsewhere.close();
    await opened.close();
  });

  const waiting = (of: Parameters<typeof waitingForLock>[1], statements = 1) =>
    waitingForLock(opened.database, of, statements);

  /** Lets `slow` read the domain, and keeps its partner locked until the domain was moved to `newcomer`. */
  async function overtakenByMove<T>(domain: Domain, slow: () => Promise<T>): Promise<T> {
    const started = await other.ports.unitOfWork.run(async () => {
      await other.ports.partners.lock(domain.partnerId);
      const result = slow();
      result.catch(() => undefined);
      await waiting('partner');
      await other.moveDomain(domain, 'newcomer');
      return { result };
    });
    return started.result;
  }

  const lastCreatedAt = async (partnerRef: string) =>
    Number(
      (await opened.database.read('SELECT last_created_at FROM partner WHERE ref = ?', [partnerRef]))[0]
        ?.last_created_at,
    );

  it('a move makes a deletion lower the count of the new partner, not of the old one', async () => {
    const domain = await world.createDomain('acme');
    await overtakenByMove(domain, () => world.deleteDomain(domain));
    expect(await world.wrongCounts()).toEqual([]);
    expect(await world.ports.domains.find('all', domain.name)).toBeNull();
  });

  it('a move hides the domain from the client of the former partner', async () => {
    const domain = await world.createDomain('acme');
    const client: Actor = {
      ...clientOfKey(new KeyChain([anApiKey({ partnerId: domain.partnerId })])),
      requestId: null,
    };
    await expect(overtakenByMove(domain, () => world.deleteDomain(domain, client))).rejects.toMatchObject({
      code: 'domain_not_found',
    });
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('a move makes a new mailbox and a new alias take their creation times from the new partner', async () => {
    const domain = await world.createDomain('acme');
    const mailbox = await overtakenByMove(domain, () => world.createMailbox(domain, 'info'));
    expect(mailbox.createdAt.getTime()).toBe(await lastCreatedAt('newcomer'));

    const second = await world.createDomain('acme');
    const inbox = await world.createMailbox(second, 'info');
    const alias = await overtakenByMove(second, () => world.createAlias(second, 'sales', inbox));
    expect(alias.createdAt.getTime()).toBe(await lastCreatedAt('newcomer'));
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('a move to a third partner makes a second move lower the count of the third partner', async () => {
    const domain = await world.createDomain('acme');
    await overtakenByMove(domain, () => world.moveDomain(domain, 'third'));
    expect(await world.wrongCounts()).toEqual([]);
    expect((await world.ports.domains.find('all', domain.name))?.partnerRef).toBe('third');
  });

  it('a move of the parent leaves no domain linked to a domain of another partner', async () => {
    const parent = await world.createDomain('acme');
    const child = await world.createDomain('acme', world.newName(parent.name));
    const linking = await other.ports.unitOfWork.run(async () => {
      await other.moveDomain(parent, 'newcomer');
      const linked = world.setParent(child, parent.name);
      linked.catch(() => undefined);
      await waiting(['domain', 'partner']);
      return { linked };
    });
    await expect(linking.linked).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await world.ports.domains.find('all', child.name)).toMatchObject({ parentId: null });
  });

  it('an alias that is deleted both alone and with its mailbox lowers the count once', async () => {
    const domain = await world.createDomain('acme');
    const aliases = await world.createDomain('acme');
    const mailbox = await world.createMailbox(domain, 'info');
    const alias = await world.createAlias(aliases, 'sales', mailbox);
    const deletions = await other.ports.unitOfWork.run(async () => {
      await other.ports.domains.lockById(aliases.id);
      const ofAlias = world.deleteAlias(alias.id);
      await waiting('domain');
      const ofMailbox = world.deleteMailbox(mailbox);
      await waiting(['domain', 'partner'], 2);
      return [ofAlias, ofMailbox];
    });
    await Promise.all(deletions);
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('two opposite moves lock their two partners in the same order', async () => {
    const ofLow = await world.createDomain('low');
    const ofHigh = await world.createDomain('high');
    const moves = await other.ports.unitOfWork.run(async () => {
      await other.ports.partners.lock(ofLow.partnerId);
      const started = [world.moveDomain(ofLow, 'high'), world.moveDomain(ofHigh, 'low')];
      await waiting('partner', 2);
      // Neither move may have the lock of the other partner yet.
      await other.database.read('SELECT id FROM partner WHERE id = ? FOR UPDATE NOWAIT', [ofHigh.partnerId]);
      return started;
    });
    await Promise.all(moves);
    expect(await world.wrongCounts()).toEqual([]);
    expect((await world.ports.domains.find('all', ofLow.name))?.partnerRef).toBe('high');
    expect((await world.ports.domains.find('all', ofHigh.name))?.partnerRef).toBe('low');
  });
});
