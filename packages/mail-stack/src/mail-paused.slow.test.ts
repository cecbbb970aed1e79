import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';

describeStack('mail of a partner that the relay provider has paused', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    // Without schedules: the hourly one ends the pauses of a provider without tenants, as the sandbox is.
    stack = await WholeStack.startWithDaemon({ ownDatabase: true, environment: { SCHEDULES: 'off' } });
  });
  afterAll(async () => {
    await stack?.stop();
  });

  const { placeOf, pass, set } = {
    placeOf: async (recipient: string): Promise<string | null> =>
      (await stack.rig.queue()).find(({ recipients }) => recipients.some(({ address }) => address === recipient))
        ?.queue_name ?? null,
    pass: async (): Promise<void> => expect(await stack.platform.holdQueues()).toBe(0),
    /** As the job stores what SES says of the tenant of acme. */
    set: (status: 'active' | 'paused') =>
      stack.rig.services.database.query(
        `REPLACE INTO relay_tenant (partner_id, name, arn, status, status_since, is_asked)
         SELECT id, 'ms-rig-1', 'arn:aws:ses:eu-central-1:1:tenant/ms-rig-1/1', '${status}', 1, 0 FROM partner WHERE ref = 'acme'`,
      ),
  };

  it('waits in the queue instead of being given up, and leaves when the pause ends; that of others leaves', async () => {
    stack.rig.relays[0].mode = 'throttle';
    for (const [from, to] of [
      [ALICE, 'queued@elsewhere.test'],
      [CAROL, 'other@elsewhere.test'],
    ] as const) {
      expect(await stack.submit(from, { from, to, subject: `to ${to}` })).toMatchObject({ code: 250 });
      await stack.rig.deferral(to, 'Throttling');
    }
    await set('paused');
    await pass();
    expect([await placeOf('queued@elsewhere.test'), await placeOf('other@elsewhere.test')]).toEqual([
      'hold',
      'deferred',
    ]);
    stack.rig.relays[0].mode = 'accept';
    await stack.rig.retryQueue();
    await until('the mail of others', async () => (await placeOf('other@elsewhere.test')) === null);
    expect(await placeOf('queued@elsewhere.test')).toBe('hold');
    await set('active');
    await pass();
    await until('the queued mail', async () => {
      await stack.rig.retryQueue();
      return (await placeOf('queued@elsewhere.test')) === null;
    });
    expect(stack.rig.relays[0].messages.map(({ from }) => from)).toContain(ALICE);
  });

  it('is deferred with its reason when it is sent, and mail to the partner and on the platform goes on', async () => {
    await set('paused');
    // Within 2 s after a preview the daemon is not asked.
    const refused = await until('the refusal', async () => {
      const reply = await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, subject: 'paused' });
      return reply.code === 250 ? null : reply;
    });
    expect(refused).toMatchObject({ code: 450, text: expect.stringContaining('[relay_paused]') });
    expect(await stack.submit(ALICE, { from: ALICE, to: BOB, subject: 'to a colleague' })).toMatchObject({ code: 250 });
    await stack.rig.arrival(BOB, 'to a colleague');
    expect(await stack.receive({ to: ALICE, subject: 'from outside' })).toMatchObject({ code: 250 });
    await stack.rig.arrival(ALICE, 'from outside');
    expect(await stack.submit(CAROL, { from: CAROL, to: OUTSIDE, subject: 'of another' })).toMatchObject({ code: 250 });
    await stack.rig.relays[0].arrival('of another');
  });
});
