import { DAY_MS, HOUR_MS, SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import type { Actor } from '@mailstead/core/operators/actor';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { CheckTenant } from '@mailstead/core/relay/tenants/check-tenant';
import type { RelayTenants } from '@mailstead/core/relay/tenants/relay-tenants';
import { SetRelayStatus } from '@mailstead/core/relay/tenants/set-relay-status';
import { anIncrement } from '@mailstead/core/testing/outbound-world';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';

const RUN = { period: { key: '2026-03-15T05', dueAt: new Date() }, cursor: 0, save: async () => undefined };
const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };
const TENANT = 'ms-inst-1-11';
const NEXT = 'ms-inst-1-12';

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew(), 'standard');
    await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 12);
    await hourly();
  });
  afterEach(() => ses.close());

  const hourly = () => ses.container.get(CheckAccount).execute();
  const runJobs = () => ses.runJobs();
  const pass = (seconds: number) => ses.pass(seconds);
  const align = async (seconds: number) => {
    await ses.container.get(ScheduleTable)['verification.recheck'](RUN);
    await pass(seconds);
  };
  const move = (ref: string) =>
    ses.container.get(MoveDomain).execute(MASTER, 'a.example' as DomainName, ref as PartnerRef);
  const sending = async (name = 'a.example') => {
    const answer = await ses.container.get(CountOutbound).execute(anIncrement({ name: name as DomainName }));
    const { reason, relay } = answer as { reason: string | null; relay: { tenant: string | null } };
    return { reason, tenant: relay.tenant };
  };
  const relayOf = async (ref: string) => (await ses.container.get(SetRelayStatus).read(ref as PartnerRef)).tenant;
  const isIn = (tenant: string, name = 'a.example') =>
    [...(ses.emulator.tenants.tenants.get(tenant)?.resources ?? [])].some((arn) => arn.endsWith(`identity/${name}`));
  /** After the provider has answered the next call of this method, and before the service has the answer. */
  const afterNext = (method: 'reputation' | 'join', meanwhile: () => Promise<unknown>) => {
    const tenants = ses.container.get(RelayProvider).tenants as RelayTenants;
    const real = tenants[method].bind(tenants) as (...given: unknown[]) => Promise<never>;
    const once = async (...given: unknown[]) => {
      Object.assign(tenants, { [method]: real });
      const answer = await real(...given);
      await meanwhile();
      return answer;
    };
    Object.assign(tenants, { [method]: once });
  };

  it('an answer about a tenant that a newer one has overtaken is not stored, and SES is asked again', async () => {
    await align(200);
    const check = () => ses.container.get(CheckTenant).execute(11, null);
    afterNext('reputation', async () => {
      ses.clock.advance(SECOND_MS);
      ses.emulator.tenants.disable(TENANT, 'too many bounces');
      await check();
    });
    await check();
    await runJobs();
    expect(await relayOf('p11')).toMatchObject({ status: 'paused', cause: 'too many bounces' });
    expect(await sending()).toMatchObject({ reason: 'relay_paused' });
  });

  it('an identity whose domain moves while SES is asked to associate it leaves that tenant 30 days later too', async () => {
    afterNext('join', () => move('p12'));
    await align(200);
    expect([isIn(TENANT), isIn(NEXT), (await sending()).tenant]).toEqual([true, true, NEXT]);
    ses.clock.advance(31 * DAY_MS);
    await hourly();
    expect([isIn(TENANT), isIn(NEXT), (await sending()).tenant]).toEqual([false, true, NEXT]);
  });

  it.each([
    ['a partner whose tenant somebody else’s has the name of', 'p11'],
    ['no partner', null],
  ])('a domain that moves from %s joins the tenant of the next one at once', async (_, from) => {
    ses.emulator.tenants.put(TENANT, { 'mailstead-installation': 'inst-2' });
    if (from === null) await ses.container.get(MoveDomain).execute(MASTER, 'a.example' as DomainName, null);
    await align(200);
    expect([(await sending()).tenant, isIn(TENANT)]).toEqual([null, false]);
    await move('p12');
    await pass(60);
    expect((await sending()).tenant).toBe(NEXT);
  });

  it('a tenant that somebody deleted at AWS is named no more from the next hourly run on, and is made again', async () => {
    await align(200);
    ses.emulator.tenants.tenants.delete(TENANT);
    ses.clock.advance(SECOND_MS);
    await hourly();
    await runJobs();
    expect([(await sending()).tenant, (await sending('b.example')).tenant]).toEqual([null, NEXT]);
    await align(200);
    expect([(await sending()).tenant, isIn(TENANT)]).toEqual([TENANT, true]);
  });

  it('another policy in the settings reaches the tenants with the next hourly runs, at most 20 in each', async () => {
    await align(200);
    const other = ses.another('none');
    await other.get(CheckAccount).execute();
    const policies = () => [...ses.emulator.tenants.tenants.values()].map(({ policy }) => policy?.split('/').at(-1));
    expect(policies()).toEqual(['none', 'none']);
    const before = ses.emulator.requests.length;
    await other.get(CheckAccount).execute();
    expect(ses.emulator.requests.slice(before).filter((line) => line.startsWith('PUT'))).toEqual([]);
    expect((await sending()).tenant).toBe(TENANT);
  });

  it('a tenant whose reputation SES does not know yet keeps its mail, and costs at most 20 looks an hour', async () => {
    await align(200);
    for (const tenant of ses.emulator.tenants.tenants.values()) tenant.isNew = true;
    const ids = Array.from({ length: 40 }, (_, index) => 100 + index);
    const tenants = ids.map((id) =>
      ses.emulator.tenants.put(`ms-inst-1-${id}`, { 'mailstead-installation': 'inst-1' }),
    );
    await ses.opened.database.write(
      `INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES ${ids.map((id) => `(${id}, 'p${id}', 0, 0)`).join(', ')}`,
    );
    await ses.opened.database.write(
      `INSERT INTO relay_tenant (partner_id, name, arn, configuration_set, policy, status, is_asked)
       VALUES ${ids.map((id) => `(${id}, ?, ?, 'mailstead', 'standard', 'active', 0)`).join(', ')}`,
      tenants.flatMap(({ name, arn }) => [name, arn]),
    );
    for (const tenant of tenants) tenant.isNew = true;
    const read = new Set<string>();
    for (let hour = 0; hour < 3; hour += 1) {
      const before = ses.emulator.requests.length;
      await hourly();
      await runJobs();
      const looks = ses.emulator.requests
        .slice(before)
        .filter((line) => line.includes('/reputation/entities/RESOURCE/'));
      expect(looks).toHaveLength(20);
      for (const look of looks) read.add(look);
      ses.clock.advance(HOUR_MS);
    }
    // The ones that were not read for longest come first.
    expect(read.size).toBe(42);
    expect([(await sending()).tenant, (await sending('b.example')).tenant]).toEqual([TENANT, NEXT]);
  });
});
