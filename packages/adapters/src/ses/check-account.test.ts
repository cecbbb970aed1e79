import { readinessOf } from '@mailstead/core/health-check';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { RelayAccountCheck } from '@mailstead/core/relay/relay-account-check';
import { RelayTrafficStamps } from '../database/relay/relay-traffic-stamps.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import type { EmulatedAccount } from './testing/emulated-account.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

const RUN = { period: { key: '2026-03-15T12', dueAt: new Date() }, cursor: 0, save: async () => undefined };
const HOUR_MS = 3_600_000;

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let ses: SesContainer;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ses = await openSesContainer(opened);
  });
  afterAll(async () => {
    await ses.close();
    await opened.close();
  });
  beforeEach(async () => {
    ses.emulator.reset();
    await check();
    await opened.database.write('DELETE FROM notification');
    await opened.database.write(
      'UPDATE relay_state SET first_counted_at = NULL, heard_at = NULL, first_event_at = NULL, last_event_at = NULL, counted_since_heard = 0',
    );
  });

  const check = () => ses.container.get(ScheduleTable)['relay.account'](RUN);
  const overview = () => ses.container.get(ReadAccount).execute();
  const names = async () => (await overview()).warnings.map(({ name }) => name);
  const told = async () =>
    (await opened.database.read("SELECT data FROM notification WHERE type = 'relay.warning' ORDER BY id")).map(
      ({ data }) => (JSON.parse(String(data)) as { warning: string }).warning,
    );
  const traffic = () => ses.container.get(RelayTrafficStamps);

  it('reads the account, the set and its destinations with two calls', async () => {
    ses.emulator.requests.length = 0;
    await check();
    expect(ses.emulator.requests).toEqual([
      'GET /v2/email/account',
      'GET /v2/email/configuration-sets/mailstead/event-destinations',
    ]);
    expect(await overview()).toMatchObject({
      provider: 'ses',
      state: {
        report: {
          account: { productionAccess: true, sendingEnabled: true, enforcement: 'HEALTHY', quota24h: 50_000 },
          configurationSet: {
            name: 'mailstead',
            destinations: [{ topic: TOPIC_ARN, events: ['BOUNCE', 'COMPLAINT'] }],
          },
        },
        checkedAt: ses.clock.now(),
      },
      identities: { aligned: 0, toAlign: 0 },
      warnings: [],
    });
    expect(await told()).toEqual([]);
  });

  it.each<[string, (account: EmulatedAccount) => unknown]>([
    ['relay_sandbox', ({ state }) => Object.assign(state, { productionAccess: false })],
    ['relay_probation', ({ state }) => Object.assign(state, { enforcement: 'PROBATION' })],
    ['relay_shutdown', ({ state }) => Object.assign(state, { enforcement: 'SHUTDOWN' })],
    ['relay_shutdown', ({ state }) => Object.assign(state, { sendingEnabled: false })],
    ['relay_quota', ({ state }) => Object.assign(state, { sent24h: 40_000 })],
    ['relay_events_not_published', ({ sets }) => sets.delete('mailstead')],
    ['relay_events_not_published', ({ sets }) => sets.set('mailstead', [])],
    ['relay_events_not_published', ({ sets }) => disable(sets.get('mailstead'))],
    [
      'relay_events_not_published',
      ({ sets }) => sets.set('mailstead', [{ enabled: true, events: ['BOUNCE'], topic: TOPIC_ARN }]),
    ],
    [
      'relay_events_not_published',
      ({ sets }) =>
        sets.set('mailstead', [{ enabled: true, events: ['BOUNCE', 'COMPLAINT'], topic: `${TOPIC_ARN}-other` }]),
    ],
  ])('%s is in the readiness, which stays ready, and is told once while it lasts', async (name, begin) => {
    begin(ses.emulator.account);
    await check();
    await check();
    const readiness = await readinessOf([ses.container.get(RelayAccountCheck)]);
    expect(readiness).toMatchObject({ isReady: true, warnings: [{ name }] });
    expect(JSON.stringify(readiness)).not.toContain('arn:');
    expect(await told()).toEqual([name]);
    ses.emulator.account.reset();
    await check();
    expect(await names()).toEqual([]);
    begin(ses.emulator.account);
    await check();
    expect(await told()).toEqual([name, name]);
  });

  it('bounces and complaints may be published by two destinations, and less than 80 % of the quota is no warning', async () => {
    ses.emulator.account.state.sent24h = 39_999;
    ses.emulator.account.sets.set('mailstead', [
      { enabled: true, events: ['BOUNCE'], topic: TOPIC_ARN },
      { enabled: true, events: ['COMPLAINT'], topic: TOPIC_ARN },
    ]);
    await check();
    expect(await names()).toEqual([]);
  });

  it('what was found stays when SES does not answer', async () => {
    ses.emulator.account.state.enforcement = 'PROBATION';
    await check();
    ses.emulator.fault('html503', 2);
    await expect(check()).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect(await names()).toEqual(['relay_probation']);
  });

  it('relay_never_heard: a message was counted more than 24 h ago, and no signed message was ever accepted', async () => {
    traffic().counted(1, ses.clock.now());
    await traffic().flush();
    ses.clock.advance(24 * HOUR_MS);
    expect(await names()).toEqual([]);
    ses.clock.advance(1);
    expect(await names()).toEqual(['relay_never_heard']);
    await check();
    expect(await told()).toEqual(['relay_never_heard']);
    await traffic().heard(ses.clock.now(), false);
    await traffic().flush();
    expect(await names()).toEqual([]);
    expect((await overview()).state.firstEventAt).toBeNull();
  });

  it('relay_silent: 10,000 messages were counted since the last signed message, in any number of processes', async () => {
    const other = ses.another().get(RelayTrafficStamps);
    await traffic().heard(ses.clock.now(), true);
    await traffic().flush();
    traffic().counted(5_000, ses.clock.now());
    other.counted(4_999, ses.clock.now());
    await Promise.all([traffic().flush(), other.flush()]);
    expect(await names()).toEqual([]);
    other.counted(1, ses.clock.now());
    await other.flush();
    expect(await names()).toEqual(['relay_silent']);
    const first = ses.clock.now();
    ses.clock.advance(HOUR_MS);
    await other.heard(ses.clock.now(), true);
    await other.flush();
    expect(await names()).toEqual([]);
    expect((await overview()).state).toMatchObject({ firstEventAt: first, lastEventAt: ses.clock.now() });
  });

  it('nothing that another provider found or heard counts', async () => {
    await traffic().heard(ses.clock.now(), true);
    await traffic().flush();
    await opened.database.write('UPDATE relay_state SET report = ?', [
      JSON.stringify({ provider: 'sandbox', account: null, configurationSet: null }),
    ]);
    expect((await overview()).state.report).toBeNull();
    await check();
    expect((await overview()).state).toMatchObject({ report: { provider: 'ses' }, heardAt: null, firstEventAt: null });
  });
});

function disable(destinations: { enabled: boolean }[] = []): void {
  for (const destination of destinations) destination.enabled = false;
}
