import { NoMailSessions } from '@mailstead/core/mail-sessions/mail-sessions';
import { RevokeSessions } from '@mailstead/core/mail-sessions/revoke-sessions';
import { SilentMeters } from '@mailstead/core/meters';
import { SuspendPartner } from '@mailstead/core/partner-changes/suspend-partner';
import type { Partner, PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import { anApiKey } from '@mailstead/core/testing/builders';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { OutboundWorld } from '@mailstead/core/testing/outbound-world';
import { until } from '@mailstead/core/testing/until';
import { TypeormApiKeyRepository } from '../api-keys/api-key-repository.js';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

const ACME = 'acme' as PartnerRef;
const MASTER = { kind: 'master', name: 'master', requestId: null } as const;
const ROUNDS = 6;
const CALLERS = 8;

/** Two processes on one database. */
describe('the suspension of a partner, while its keys and its mail are busy on another replica', () => {
  let main: TestDatabase;
  let elsewhere: Database;
  let suspendPartner: SuspendPartner;
  let world: OutboundWorld;

  beforeAll(async () => {
    main = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: main.url, dataDir: main.dataDir, poolSize: 10 });
    world = new OutboundWorld(outboundPorts(elsewhere));
    const { unitOfWork, partners, audit } = outboundPorts(main.database);
    const revokeSessions = new RevokeSessions(new NoMailSessions(), new IdleJobQueue(), world.clock);
    suspendPartner = new SuspendPartner(unitOfWork, partners, revokeSessions, audit, world.clock);
  });
  afterAll(async () => {
    await elsewhere.close();
    await main.close();
  });

  const change = (suspended: boolean): Promise<Partner> =>
    suspended
      ? suspendPartner.suspend(MASTER, ACME, { cause: 'abuse', stage: 'all' })
      : suspendPartner.activate(MASTER, ACME, null);

  it('applies to every request that begins after it, and to none that ended before it', async () => {
    const domain = await world.domain();
    await world.ports.unitOfWork.run(async () => {
      const locked = await world.ports.partners.lock(domain.partnerId);
      locked.domainCount = 1;
      await world.ports.partners.save(locked);
    });
    const keys = new TypeormApiKeyRepository(elsewhere, new LastUsedStamps(elsewhere), new SilentMeters());
    const key = await world.ports.unitOfWork.run(() => keys.add(anApiKey({ partnerId: domain.partnerId })));
    // The number of changes that began, and that ended. Odd: suspended.
    const changes = { begun: 0, ended: 0 };
    const wrong: unknown[] = [];
    const requests = { asked: 0 };
    const ask = async (read: () => Promise<boolean>) => {
      while (changes.ended < ROUNDS) {
        const before = changes.ended;
        const isSuspended = await read();
        requests.asked += 1;
        // Without a change during the request, there is only one right answer.
        if (changes.begun === before && isSuspended !== (before % 2 === 1)) wrong.push({ before, isSuspended });
      }
    };
    const stopped = async () => (await world.send(domain)).reason === 'domain_suspended';
    const stageOfKey = async (): Promise<PartnerStage | null> =>
      (await keys.findByHash(key.tokenHash))?.key.partnerStage ?? null;
    const callers = Array.from({ length: CALLERS }, (_, index) =>
      ask(index % 2 === 0 ? stopped : async () => (await stageOfKey()) !== null),
    );
    while (changes.ended < ROUNDS) {
      const target = requests.asked + 2 * CALLERS;
      await until('two requests of each caller', () => requests.asked >= target);
      changes.begun += 1;
      await change(changes.begun % 2 === 1);
      changes.ended += 1;
    }
    await Promise.all(callers);
    expect(wrong).toEqual([]);
    expect(requests.asked).toBeGreaterThan(ROUNDS * CALLERS);
  });
});
