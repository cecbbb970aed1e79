import { SECOND_MS } from '@mailstead/core/clock';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import type { Container } from 'inversify';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

const RUN = { period: { key: '2026-03-15T05', dueAt: new Date() }, cursor: 0, save: async () => undefined };
const DAY_S = 86_400;

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew());
  });
  afterEach(() => ses.close());

  const recheck = (container: Container) => container.get(ScheduleTable)['verification.recheck'](RUN);
  const pass = (seconds: number, container?: Container) => ses.pass(seconds, container);
  const changed = () =>
    ses.emulator.requests
      .filter((line) => line.startsWith('PUT '))
      .map((line) => line.replace(/^PUT \/v2\/email\/identities\/(.*)\/configuration-set$/, '$1'));

  it('identities of the former release get the set with the re-check, partners in turn, at a tenth of the rate', async () => {
    for (const name of ['a1', 'a2', 'a3']) await ses.verifiedDomain(`${name}.example`, 11);
    await ses.verifiedDomain('b1.example', 12);
    expect(ses.emulator.send('b1.example', 'BOUNCE')).toEqual([]);
    await recheck(ses.container);
    const before = ses.emulator.requests.length;
    await pass(30);
    expect(ses.emulator.requests.length - before).toBeLessThanOrEqual(4);
    expect(changed()).toEqual(['a1.example', 'b1.example']);
    await pass(100);
    expect(changed()).toEqual(['a1.example', 'b1.example', 'a2.example', 'a3.example']);
    for (const name of ['a1', 'a2', 'a3', 'b1']) {
      expect(ses.emulator.send(`${name}.example`, 'BOUNCE')).toEqual([TOPIC_ARN]);
    }
    expect(await ses.container.get(VerificationRepository).countAligned('mailstead')).toEqual({
      aligned: 4,
      toAlign: 0,
    });
  });

  it('another process goes on where one stopped, and one that is done asks for nothing', async () => {
    for (const name of ['a', 'b', 'c']) await ses.verifiedDomain(`${name}.example`, 11);
    await recheck(ses.container);
    await ses.runJobs();
    await pass(120, ses.another());
    expect(changed()).toEqual(['a.example', 'b.example', 'c.example']);
    const before = ses.emulator.requests.length;
    await recheck(ses.container);
    await pass(120);
    // The list of the re-check alone.
    expect(ses.emulator.requests.slice(before)).toEqual(['POST /v2/email/list-identities']);
  });

  it('a set that somebody changed at AWS is found within 30 days', async () => {
    await ses.verifiedDomain('a.example', 11);
    await recheck(ses.container);
    await pass(20);
    const identity = ses.emulator.identity('a.example');
    if (identity === undefined) throw new Error('no identity');
    identity.configurationSet = null;
    ses.clock.advance(29 * DAY_S * SECOND_MS);
    await recheck(ses.container);
    await pass(20);
    expect(identity.configurationSet).toBeNull();
    ses.clock.advance(DAY_S * SECOND_MS);
    await recheck(ses.container);
    await pass(20);
    expect(identity.configurationSet).toBe('mailstead');
  });

  it('an identity that SES refuses to change stops no other one, and is tried again by the next re-check', async () => {
    await ses.verifiedDomain('a.example', 11);
    await ses.verifiedDomain('b.example', 11);
    await recheck(ses.container);
    ses.emulator.fault('accessDenied');
    await pass(40);
    expect(changed()).toEqual(['b.example']);
    await pass(3_600);
    expect(changed()).toEqual(['b.example']);
    await recheck(ses.container);
    await pass(20);
    expect(changed()).toEqual(['b.example', 'a.example']);
  });

  it('an identity of another installation is never changed', async () => {
    await ses.verifiedDomain('a.example', 11);
    ses.emulator.put({ name: 'a.example', status: 'SUCCESS', tags: { 'mailstead-installation': 'inst-2' } });
    await recheck(ses.container);
    await pass(60);
    expect(changed()).toEqual([]);
  });
});
