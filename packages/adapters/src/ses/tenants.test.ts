import { DAY_MS, HOUR_MS, SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import type { Actor } from '@mailstead/core/operators/actor';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { MailStopsReader } from '@mailstead/core/outbound/mail-stops';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { CheckTenant } from '@mailstead/core/relay/tenants/check-tenant';
import { NoteTenantHint } from '@mailstead/core/relay/tenants/note-tenant-hint';
import { SetRelayStatus } from '@mailstead/core/relay/tenants/set-relay-status';
import { anIncrement } from '@mailstead/core/testing/outbound-world';
import type { Container } from 'inversify';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

const RUN = { period: { key: '2026-03-15T05', dueAt: new Date() }, cursor: 0, save: async () => undefined };
const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };
const TENANT = 'ms-inst-1-11';

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew(), 'strict');
  });
  afterEach(() => ses.close());

  const recheck = () => ses.container.get(ScheduleTable)['verification.recheck'](RUN);
  const hourly = () => ses.container.get(CheckAccount).execute();
  const runJobs = (container?: Container) => ses.runJobs(container);
  const pass = (seconds: number) => ses.pass(seconds);
  const align = async (seconds: number) => {
    await recheck();
    await pass(seconds);
  };
  const send = async (name: string, container = ses.container) =>
    container.get(CountOutbound).execute(anIncrement({ name: name as DomainName }));
  /** Sends a message of the domain with the fields that the API names, as the mail servers do. */
  const sendOverSes = async (name: string, identity = name) => {
    const { relay } = (await send(name)) as { relay: { configurationSet: string | null; tenant: string | null } };
    const topics = ses.emulator.send(
      identity,
      'BOUNCE',
      relay.configurationSet ?? undefined,
      relay.tenant ?? undefined,
    );
    return { tenant: relay.tenant, topics };
  };
  const tenant = (name = TENANT) => {
    const found = ses.emulator.tenants.tenants.get(name);
    if (found === undefined) throw new Error(`no tenant ${name}`);
    return found;
  };
  const relayOf = async (ref: string) => (await ses.container.get(SetRelayStatus).read(ref as PartnerRef)).tenant;
  const warnings = async () => (await ses.container.get(ReadAccount).warnings()).map(({ name }) => name);
  const rows = (sql: string) => ses.opened.database.read(sql);
  const told = async () => (await rows('SELECT type FROM notification ORDER BY id')).map(({ type }) => type as string);
  const audited = async (action: string) =>
    (await rows(`SELECT subject FROM audit_log WHERE action = '${action}' ORDER BY id`)).length;

  it('each partner gets one with our tag, the policy and a suppression list of its own, and mail names it when the identity is in it', async () => {
    await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 12);
    await hourly();
    expect(await sendOverSes('a.example')).toEqual({ tenant: null, topics: [TOPIC_ARN] });
    await align(200);
    expect(tenant()).toMatchObject({
      tags: { 'mailstead-installation': 'inst-1' },
      policy: 'arn:aws:ses:eu-central-1:aws:reputation-policy/strict',
      scope: 'TENANT',
    });
    expect(await sendOverSes('a.example')).toEqual({ tenant: TENANT, topics: [TOPIC_ARN] });
    expect(await sendOverSes('b.example')).toEqual({ tenant: 'ms-inst-1-12', topics: [TOPIC_ARN] });
    expect(await relayOf('p11')).toMatchObject({ name: TENANT, status: 'active', wanted: null, cause: null });
  });

  it('no message is refused for a missing association, whenever it is sent', async () => {
    for (const name of ['a', 'b', 'c']) await ses.verifiedDomain(`${name}.example`, 11);
    await hourly();
    await recheck();
    const named = new Set<string | null>();
    for (let step = 0; step < 15; step += 1) {
      for (const name of ['a', 'b', 'c']) named.add((await sendOverSes(`${name}.example`)).tenant);
      await runJobs();
      ses.clock.advance(10 * SECOND_MS);
    }
    expect([...named]).toEqual([null, TENANT]);
  });

  it('a subdomain that is verified by its parent names the tenant as soon as the parent’s identity is in it', async () => {
    const parent = await ses.verifiedDomain('a.example', 11);
    const child = await ses.verifiedDomain('mail.a.example', 11);
    await ses.opened.database.write('UPDATE domain SET parent_id = ? WHERE id = ?', [parent, child]);
    await ses.opened.database.write(
      "UPDATE verification SET status = 'unverified', dns_records = NULL WHERE domain_id = ?",
      [child],
    );
    await hourly();
    expect((await sendOverSes('mail.a.example', 'a.example')).tenant).toBeNull();
    await align(100);
    expect(await sendOverSes('mail.a.example', 'a.example')).toEqual({ tenant: TENANT, topics: [TOPIC_ARN] });
    expect([...tenant().resources].filter((arn) => arn.includes('identity/mail.'))).toEqual([]);
  });

  it('mail goes on without one while SES is away or its limit is reached, and the hourly run tries again', async () => {
    await ses.verifiedDomain('a.example', 11);
    ses.emulator.tenants.limit = 0;
    await hourly();
    await align(100);
    expect((await sendOverSes('a.example')).tenant).toBeNull();
    expect(await warnings()).toContain('relay_tenants');
    ses.emulator.tenants.limit = 10;
    ses.clock.advance(2 * HOUR_MS);
    await hourly();
    await recheck();
    await pass(100);
    expect((await sendOverSes('a.example')).tenant).toBe(TENANT);
    expect(await warnings()).not.toContain('relay_tenants');
  });

  it('a set with suppression options of its own is a warning', async () => {
    ses.emulator.account.ownSuppression = ['BOUNCE'];
    await hourly();
    expect(await warnings()).toContain('relay_suppression_shared');
    ses.emulator.account.ownSuppression = null;
    await hourly();
    expect(await warnings()).not.toContain('relay_suppression_shared');
  });

  it('a pause is read after a hint and by the hourly comparison; messages wait, and it is told once', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    await align(100);
    const hint = (arn: string) => ses.container.get(NoteTenantHint).execute([arn], null);
    // Forged: SES says that the tenant sends.
    expect(await hint(tenant().arn)).toBe(1);
    expect(await hint(`${tenant().arn}x`)).toBe(0);
    await runJobs();
    expect(await send('a.example')).toMatchObject({ allowed: true });
    ses.emulator.tenants.disable(TENANT, 'too many bounces');
    for (const _ of [1, 2]) {
      await hint(tenant().arn);
      await runJobs();
    }
    expect(await send('a.example')).toMatchObject({ allowed: false, action: 'defer', reason: 'relay_paused' });
    expect(await relayOf('p11')).toMatchObject({ status: 'paused', cause: 'too many bounces' });
    const stops = await ses.container.get(MailStopsReader).ofDomains(['a.example']);
    expect(stops.get('a.example')).toMatchObject({ sendingWaits: true, receivingWaits: false });
    Object.assign(tenant(), { managed: { status: 'ENABLED', cause: null }, impact: null });
    await hourly();
    await runJobs();
    expect(await send('a.example')).toMatchObject({ allowed: true });
    ses.emulator.tenants.disable(TENANT, 'again');
    await hourly();
    await runJobs();
    expect(await send('a.example')).toMatchObject({ reason: 'relay_paused' });
    const types = (await told()).filter((type) => type.startsWith('partner.relay'));
    expect(types).toEqual(['partner.relay_paused', 'partner.relay_resumed', 'partner.relay_paused']);
    expect(await audited('partner.relay_paused')).toBe(2);
  });

  it('master pauses and resumes it; a tenant with a finding is reinstated until the finding has ended', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    const set = (status: 'active' | 'paused') =>
      ses.container.get(SetRelayStatus).execute(MASTER, 'p11' as PartnerRef, status);
    await expect(set('paused')).rejects.toMatchObject({ code: 'no_tenant' });
    await align(100);
    expect(await set('paused')).toMatchObject({ tenant: { status: 'active', wanted: 'paused' }, revision: 2 });
    await runJobs();
    expect(tenant().ownStatus).toBe('DISABLED');
    expect(await relayOf('p11')).toMatchObject({ status: 'paused', wanted: 'paused' });
    await set('active');
    await runJobs();
    expect(tenant().ownStatus).toBe('ENABLED');
    expect(await send('a.example')).toMatchObject({ allowed: true });
    ses.emulator.tenants.disable(TENANT, 'too many complaints');
    await hourly();
    await runJobs();
    // What was asked for once does not lift a later pause.
    expect(await relayOf('p11')).toMatchObject({ status: 'paused', wanted: 'active' });
    await set('active');
    await runJobs();
    expect(tenant().ownStatus).toBe('REINSTATED');
    expect(await relayOf('p11')).toMatchObject({ status: 'active' });
    Object.assign(tenant(), { managed: { status: 'ENABLED', cause: null }, impact: null });
    await hourly();
    await runJobs();
    expect(tenant().ownStatus).toBe('ENABLED');
  });

  it('a domain that moves names no tenant until it is in the next one, and leaves the former one after 30 days', async () => {
    await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 12);
    await hourly();
    await align(200);
    await ses.container.get(MoveDomain).execute(MASTER, 'a.example' as DomainName, 'p12' as PartnerRef);
    expect((await sendOverSes('a.example')).tenant).toBeNull();
    await pass(100);
    expect((await sendOverSes('a.example')).tenant).toBe('ms-inst-1-12');
    // Mail that was queued before the move.
    expect(ses.emulator.send('a.example', 'BOUNCE', undefined, TENANT)).toEqual([TOPIC_ARN]);
    ses.clock.advance(29 * DAY_MS);
    await hourly();
    expect(tenant().resources.size).toBe(2);
    ses.clock.advance(2 * DAY_MS);
    await hourly();
    expect([...tenant().resources].filter((arn) => arn.includes('identity'))).toEqual([]);
    expect((await sendOverSes('a.example')).tenant).toBe('ms-inst-1-12');
  });

  it('a domain that comes back within 30 days stays in its tenant', async () => {
    await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 12);
    await hourly();
    await align(200);
    for (const ref of ['p12', 'p11']) {
      await ses.container.get(MoveDomain).execute(MASTER, 'a.example' as DomainName, ref as PartnerRef);
      await pass(100);
    }
    ses.clock.advance(31 * DAY_MS);
    await hourly();
    expect(await sendOverSes('a.example')).toEqual({ tenant: TENANT, topics: [TOPIC_ARN] });
    expect([...tenant('ms-inst-1-12').resources].some((arn) => arn.endsWith('identity/a.example'))).toBe(false);
  });

  it('a tenant that is gone at SES is named no more, and made again', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    await align(100);
    ses.emulator.tenants.tenants.delete(TENANT);
    await ses.container.get(CheckTenant).execute(11, null);
    expect((await sendOverSes('a.example')).tenant).toBeNull();
    await align(200);
    expect((await sendOverSes('a.example')).tenant).toBe(TENANT);
  });

  it('a pause that master asked for holds again when the tenant was gone at SES and is made again', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    await align(100);
    await ses.container.get(SetRelayStatus).execute(MASTER, 'p11' as PartnerRef, 'paused');
    await runJobs();
    ses.emulator.tenants.tenants.delete(TENANT);
    await ses.container.get(CheckTenant).execute(11, null);
    await align(200);
    expect(tenant().ownStatus).toBe('DISABLED');
    expect(await relayOf('p11')).toMatchObject({ status: 'paused', wanted: 'paused' });
  });

  it('an association that is gone at SES is made again within 30 days', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    await align(100);
    tenant().resources.clear();
    tenant().resources.add('arn:aws:ses:eu-central-1:123456789012:configuration-set/mailstead');
    ses.clock.advance(30 * DAY_MS);
    await align(100);
    expect(await sendOverSes('a.example')).toEqual({ tenant: TENANT, topics: [TOPIC_ARN] });
  });

  it('a tenant of a partner without a verified domain is deleted after 90 days, and no other one', async () => {
    const id = await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 12);
    await hourly();
    await align(200);
    await ses.opened.database.write(
      "UPDATE verification SET status = 'failed', tenant_partner_id = NULL WHERE domain_id = ?",
      [id],
    );
    await hourly();
    ses.clock.advance(89 * DAY_MS);
    await hourly();
    expect([...ses.emulator.tenants.tenants.keys()].sort()).toEqual([TENANT, 'ms-inst-1-12']);
    ses.clock.advance(2 * DAY_MS);
    await hourly();
    expect([...ses.emulator.tenants.tenants.keys()]).toEqual(['ms-inst-1-12']);
    expect(await relayOf('p11')).toBeNull();
  });

  it('a deleted domain leaves its tenant after 30 days', async () => {
    const id = await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 11);
    await hourly();
    await align(200);
    await ses.opened.database.write('DELETE FROM verification WHERE domain_id = ?', [id]);
    await ses.opened.database.write('DELETE FROM domain WHERE id = ?', [id]);
    await ses.container.get(DeleteIdentity).execute({ domainId: id, name: 'a.example' });
    ses.clock.advance(31 * DAY_MS);
    await hourly();
    expect((await rows('SELECT name FROM relay_tenant_identity')).map(({ name }) => name)).toEqual(['b.example']);
  });

  it('while SES_TENANTS is off no mail names one, and the pauses end with the next hourly run', async () => {
    await ses.verifiedDomain('a.example', 11);
    await hourly();
    await align(100);
    ses.emulator.tenants.disable(TENANT, 'too many bounces');
    await hourly();
    await runJobs();
    const off = ses.another(null);
    expect(await send('a.example', off)).toMatchObject({ reason: 'relay_paused', relay: { tenant: null } });
    await off.get(CheckAccount).execute();
    expect(await send('a.example', off)).toMatchObject({ allowed: true, relay: { tenant: null } });
    await expect(off.get(SetRelayStatus).read('p11' as PartnerRef)).resolves.toMatchObject({ tenant: null });
  });
});
