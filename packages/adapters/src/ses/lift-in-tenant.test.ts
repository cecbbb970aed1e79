import { DAY_MS, HOUR_MS, SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { JOB_OPTIONS } from '@mailstead/core/jobs/jobs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { MakeTenant } from '@mailstead/core/relay/tenants/make-tenant';
import type { RelayTenants } from '@mailstead/core/relay/tenants/relay-tenants';
import { DeleteSuppression } from '@mailstead/core/suppressions/delete-suppression';
import { LiftAtProvider } from '@mailstead/core/suppressions/lift-at-provider';
import type { SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { Suppressions, suppressionKey } from '@mailstead/core/suppressions/suppressions';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { JobRunner } from '../jobs/job-runner.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';

const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };
const TENANT = 'ms-inst-1-11';
const SPELLING = 'Joe.Smith@Far.example';
const ADDRESS = SPELLING.toLowerCase() as SuppressedAddress;

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;
  let domainId: number;

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew(), 'standard');
    domainId = await ses.verifiedDomain('a.example', 11);
    await ses.container.get(MakeTenant).execute(11);
    ses.emulator.tenants.tenants.get(TENANT)?.suppressed.add(SPELLING);
    await suppress();
  });
  afterEach(() => ses.close());

  const suppressions = () => ses.container.get(Suppressions);
  /** As an event of SES does it. */
  const suppress = (spelling: string | null = SPELLING) =>
    ses.container.get(UnitOfWork).run(async () => {
      const now = ses.clock.now();
      await ses.container.get(PartnerRepository).lock(11);
      const event = { partnerId: 11, domainId, address: ADDRESS, spelling, reason: 'bounce' as const };
      const times = { since: now, expiresAt: new Date(now.getTime() + 90 * DAY_MS) };
      await suppressions().addFromEvents(11, [{ ...event, ...times }], { now, most: 100 });
    });
  const found = () => suppressions().findByKey({ partnerId: 11, domainId, address: ADDRESS });
  const isSuppressed = async () => {
    const query = { partnerId: 11, domainId, address: ADDRESS };
    return (await suppressions().suppressed([query], ses.clock.now())).has(suppressionKey(query));
  };
  const lift = async () => ses.container.get(DeleteSuppression).execute(MASTER, (await found())?.id ?? 0);
  const runJobs = async () => {
    await ses.container.get(JobRunner).startDue('verification');
    await ses.container.get(JobRunner).idle();
  };
  const onList = () => ses.emulator.tenants.tenants.get(TENANT)?.suppressed.has(SPELLING);
  const numberOfRows = async () =>
    Number(
      (await ses.opened.database.read('SELECT suppression_count FROM partner WHERE id = 11'))[0]?.suppression_count,
    );

  it('a lift has no effect on mail from now on, and is listed until SES has taken the address, in its spelling, off the list', async () => {
    expect(await isSuppressed()).toBe(true);
    await lift();
    expect([(await found())?.lift, await isSuppressed(), onList()]).toEqual(['pending', false, true]);
    await runJobs();
    expect([await found(), onList(), await numberOfRows()]).toEqual([null, false, 0]);
  });

  it('a lift that SES does not confirm is tried again, and says in the end that it failed; it can be lifted again', async () => {
    await lift();
    ses.emulator.fault('html503', 2);
    const id = (await found())?.id ?? 0;
    await expect(ses.container.get(LiftAtProvider).execute(id, 1)).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect((await found())?.lift).toBe('pending');
    await ses.container.get(LiftAtProvider).execute(id, JOB_OPTIONS['suppression.lift-tenant'].maxAttempts);
    expect([(await found())?.lift, await isSuppressed()]).toEqual(['failed', false]);
    await lift();
    expect((await found())?.lift).toBe('pending');
    ses.clock.advance(HOUR_MS);
    await runJobs();
    expect(await found()).toBeNull();
  });

  it('an event meanwhile suppresses the address again', async () => {
    await lift();
    ses.clock.advance(SECOND_MS);
    await suppress();
    expect([(await found())?.lift, await isSuppressed()]).toEqual([null, true]);
    await runJobs();
    expect([await isSuppressed(), await numberOfRows()]).toEqual([true, 1]);
  });

  it.each([SPELLING, ADDRESS])(
    'what was suppressed by hand and bounced as %s is taken off the list too',
    async (spelling) => {
      const list = ses.emulator.tenants.tenants.get(TENANT)?.suppressed;
      list?.clear();
      list?.add(spelling);
      await ses.opened.database.write("UPDATE suppression SET reason = 'manual', spelling = NULL, expires_at = NULL");
      await suppress(spelling === ADDRESS ? null : spelling);
      expect(await found()).toMatchObject({ reason: 'manual', expiresAt: null, lift: null });
      await lift();
      expect([(await found())?.lift, await isSuppressed()]).toEqual(['pending', false]);
      await runJobs();
      expect([await found(), list?.size]).toEqual([null, 0]);
    },
  );

  it('a lift during which the domain moves ends too', async () => {
    await ses.verifiedDomain('b.example', 12);
    await lift();
    const tenants = ses.container.get(RelayProvider).tenants as RelayTenants;
    const real = tenants.liftSuppression.bind(tenants);
    tenants.liftSuppression = async (...given) => {
      tenants.liftSuppression = real;
      await real(...given);
      await ses.container.get(MoveDomain).execute(MASTER, 'a.example' as DomainName, 'p12' as PartnerRef);
    };
    await runJobs();
    expect(await suppressions().findByKey({ partnerId: 12, domainId, address: ADDRESS })).toBeNull();
    expect([onList(), await numberOfRows()]).toEqual([false, 0]);
  });

  it('what was suppressed by hand, and any lift without tenants, is deleted at once', async () => {
    await ses.opened.database.write("UPDATE suppression SET reason = 'manual', spelling = NULL");
    await lift();
    expect(await found()).toBeNull();
    await suppress();
    const off = ses.another(null);
    await off.get(DeleteSuppression).execute(MASTER, (await found())?.id ?? 0);
    expect(await found()).toBeNull();
  });
});
