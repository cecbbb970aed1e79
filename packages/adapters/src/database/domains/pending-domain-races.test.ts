import { DAY_MS } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { DomainLocks } from '@mailstead/core/domains/domain-locks';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { waitingForLock } from '../testing/lock-waits.js';
import { PartnerWorld } from '../testing/partner-world.js';

/** The order is forced with a second process. Only on MariaDB, because SQLite has one writer. */
describe('a domain whose time to be opened has ended, at the time of its removal', () => {
  let opened: TestDatabase;
  let elsewhere: Database;
  let world: PartnerWorld;
  let other: PartnerWorld;
  let notifier: SilentNotifier;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 10 });
    world = new PartnerWorld(opened.database);
    other = new PartnerWorld(elsewhere);
  });
  beforeEach(() => {
    notifier = new SilentNotifier();
  });
  afterAll(async () => {
    await elsewhere.close();
    await opened.close();
  });

  /** @returns a domain that the next run removes. */
  async function expired(): Promise<Domain> {
    const domain = await world.createDomain('acme');
    const ago = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS);
    const waiting = { inbound: 'pending', pendingSince: ago(31), expiryNotifiedAt: ago(8) } as const;
    await world.ports.unitOfWork.run(() => world.ports.domains.save(Object.assign(domain, waiting)));
    return domain;
  }

  function run(): Promise<JobCounts> {
    const { unitOfWork, partners, domains, verifications, usage, audit } = world.ports;
    return new ExpirePendingDomains(
      unitOfWork,
      new DomainLocks(partners, domains, usage, world.clock),
      domains,
      verifications,
      world.deletion(),
      notifier,
      audit,
      world.clock,
      { pendingDomainMs: 30 * DAY_MS },
    ).execute();
  }

  /** Starts a run that has listed the domain and waits for its partner, changes the domain, and ends the run. */
  async function overtakenBy(domain: Domain, change: () => Promise<unknown>): Promise<JobCounts> {
    const { result } = await other.ports.unitOfWork.run(async () => {
      await other.ports.partners.lock(domain.partnerId);
      const started = run();
      started.catch(() => undefined);
      await waitingForLock(opened.database, 'partner', 1);
      await change();
      return { result: started };
    });
    return result;
  }

  const found = ({ name }: Domain) => world.ports.domains.find('all', name);

  it('is removed when nothing happens', async () => {
    const domain = await expired();
    expect(await run()).toEqual({ removed: 1, announced: 0 });
    expect(await found(domain)).toBeNull();
    expect(notifier.notices.map(([type]) => type)).toEqual(['domain.expired']);
  });

  it('stays when it is opened', async () => {
    const domain = await expired();
    const counts = await overtakenBy(domain, async () => {
      const locked = await other.ports.domains.lockById(domain.id);
      locked?.openInbound();
      if (locked !== null) await other.ports.domains.save(locked);
    });
    expect(counts).toEqual({ removed: 0, announced: 0 });
    expect(await found(domain)).toMatchObject({ inbound: 'open', pendingSince: null });
    expect(notifier.notices).toEqual([]);
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('is deleted once when its partner deletes it, and a new domain of that name stays', async () => {
    const domain = await expired();
    const counts = await overtakenBy(domain, async () => {
      await other.deleteDomain(domain);
      await other.createDomain('acme', domain.name);
    });
    expect(counts).toEqual({ removed: 0, announced: 0 });
    expect((await found(domain))?.id).not.toBe(domain.id);
    expect(notifier.notices).toEqual([]);
    expect(await world.wrongCounts()).toEqual([]);
  });

  it('is not removed but announced to its new partner when it is moved', async () => {
    const domain = await expired();
    const counts = await overtakenBy(domain, () => other.moveDomain(domain, 'newcomer'));
    expect(counts).toEqual({ removed: 0, announced: 1 });
    expect(await found(domain)).toMatchObject({ partnerRef: 'newcomer', expiryNotifiedAt: world.clock.now() });
    expect(await world.wrongCounts()).toEqual([]);
  });
});
