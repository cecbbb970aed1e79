import { AttentionList } from '@mailstead/core/attention/attention-list';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';

const RUN = { period: { key: '2026-03-15T05', dueAt: new Date() }, cursor: 0, save: async () => undefined };

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;
  let id: number;
  let names: string[];

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew());
    id = await ses.verifiedDomain('a.example', 11);
    names = [];
    for (const token of ses.emulator.identity('a.example')?.tokens ?? []) {
      names.push(`${token}._domainkey.a.example`);
      ses.dns.set('CNAME', `${token}._domainkey.a.example`, `${token}.x1y2.dkim.emulated.example`);
    }
  });
  afterEach(() => ses.close());

  const recheck = () => ses.container.get(ScheduleTable)['verification.recheck'](RUN);
  const stored = async () => {
    const verification = await ses.container.get(VerificationRepository).find(id);
    if (verification === null) throw new Error('no verification');
    return verification;
  };
  const attention = async () => (await ses.container.get(AttentionList).ofDomains([id], ses.clock.now())).get(id) ?? [];
  const written = async (table: string, column: string) =>
    (await ses.opened.database.read(`SELECT ${column} AS name FROM ${table} ORDER BY id`)).map(({ name }) =>
      String(name),
    );

  it('a verified domain whose records SES misses stays verified, says which are missing, and is announced once', async () => {
    const [first = '', second = ''] = names;
    ses.dns.records.delete(`CNAME ${first}`);
    ses.emulator.miss('a.example');
    const since = new Date(ses.clock.now().getTime() - HOUR_MS);
    Object.assign(ses.emulator.identity('a.example') ?? {}, { lastSuccessAt: since.getTime() });
    await recheck();
    const { status, lastError, providerStatus } = await stored();
    expect([status, providerStatus]).toEqual(['verified', 'temporary_failure']);
    expect(lastError).toContain(first);
    expect(lastError).not.toContain(second);
    expect(lastError).toContain(since.toISOString().slice(0, 19));
    expect(await attention()).toEqual(['dns_at_risk']);
    expect(await written('notification', 'type')).toEqual(['domain.verification_at_risk']);
    ses.clock.advance(DAY_MS);
    await recheck();
    ses.emulator.fault('html503', 9);
    ses.clock.advance(DAY_MS);
    await recheck().catch(() => undefined);
    expect((await stored()).lastError).toContain(first);
    expect(await written('notification', 'type')).toEqual(['domain.verification_at_risk']);
    expect(await written('audit_log', 'action')).toEqual(['domain.verification_at_risk']);
  });

  it('when SES finds the records again, both end without an event', async () => {
    ses.emulator.miss('a.example');
    await recheck();
    expect((await stored()).lastError).toContain('published now');
    ses.emulator.verify('a.example');
    ses.clock.advance(DAY_MS);
    await recheck();
    expect(await stored()).toMatchObject({ status: 'verified', lastError: null, atRiskSince: null });
    expect(await attention()).toEqual([]);
    expect(await written('notification', 'type')).toHaveLength(1);
  });

  it('records that come and go are announced at most once a day', async () => {
    for (const [hours, count] of [
      [0, 1],
      [6, 1],
      [18, 2],
    ] as const) {
      ses.clock.advance(hours * HOUR_MS);
      ses.emulator.miss('a.example');
      await recheck();
      expect(await written('notification', 'type')).toHaveLength(count);
      ses.emulator.verify('a.example');
      ses.clock.advance(1);
      await recheck();
    }
  });

  it('a verification that is lost is no longer at risk', async () => {
    ses.emulator.miss('a.example');
    await recheck();
    ses.emulator.fail('a.example');
    ses.clock.advance(DAY_MS);
    await recheck();
    expect(await stored()).toMatchObject({ status: 'failed', atRiskSince: null });
    expect(await attention()).toEqual([]);
  });
});
