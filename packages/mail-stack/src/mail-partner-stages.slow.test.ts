import type { ApiCaller } from './testing/api-caller.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ANN = 'ann@staged.test';
const SRS_DOMAIN = 'srs.rig.test';
const FAR = 'far@elsewhere.test';
/** By the daemon; within 2 s after a preview of the login, which it does not repeat, by Postfix. */
const NOT_SENT = expect.stringMatching(/suspended|on hold/);

describeStack('the mail of a suspended partner, with the real policy daemon and with forwarding,', () => {
  let stack: WholeStack<MailsteadProcess>;
  let partner: ApiCaller;

  const tables: SrsStandIn[] = [];

  beforeAll(async () => {
    tables.push(await SrsStandIn.start(SRS_DOMAIN, 'forward'), await SrsStandIn.start(SRS_DOMAIN, 'reverse'));
    const [senders, recipients] = tables;
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders?.table, recipientMap: recipients?.table } },
    });
    partner = await stack.platform.partner('staged');
    await addDomain(partner, 'staged.test');
    await addMailboxes(partner, ANN);
    await addAlias(partner, 'info@staged.test', ANN);
    await addAlias(partner, 'out@staged.test', FAR);
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all(tables.map(async (table) => await table.stop()));
  });

  const suspend = (stage: string) => stack.platform.master.put('/partners/staged/suspend', { stage });
  const submit = (to: string, subject = 'sent') => stack.submit(ANN, { from: ANN, to, subject });

  it('with the stage `changes` arrives and is read, and is not sent', async () => {
    stack.rig.relays[0].mode = 'throttle';
    expect((await submit(FAR, 'queued before')).code).toBe(250);
    await stack.rig.deferral(FAR, 'Throttling');
    stack.rig.relays[0].mode = 'accept';
    await suspend('changes');
    expect(await stack.receive({ to: 'info@staged.test', subject: 'while changes' })).toMatchObject({ code: 250 });
    await stack.rig.arrival(ANN, 'while changes');
    const both = { to: [ANN, 'alice@acme.test'], subject: 'to both partners' };
    expect(await stack.receive(both)).toMatchObject({ code: 250 });
    for (const recipient of both.to) await stack.rig.arrival(recipient, both.subject);
    expect(await stack.receive({ to: 'out@staged.test' })).toMatchObject({
      code: 450,
      text: expect.stringContaining('suspended'),
    });
    expect(await stack.login(ANN, PASSWORD)).toBe('OK');
    for (const to of [OUTSIDE, 'alice@acme.test', ANN]) {
      expect(await submit(to)).toMatchObject({ code: 450, text: NOT_SENT });
    }
    await stack.rig.retryQueue();
    await stack.rig.deferral(FAR, 'on hold');
    await expect(partner.put(`/users/${ANN}`, { password: 'another long one' })).rejects.toThrow(/partner_suspended/);
    expect(await partner.get('/domains/staged.test')).toMatchObject({ status: 'active', partner_stage: 'changes' });
  });

  it('with the stage `all` is deferred in both directions, and nobody logs in', async () => {
    await addAlias(stack.acme, 'tostaff@acme.test', 'alice@acme.test');
    await suspend('all');
    expect(await stack.receive({ to: ANN })).toMatchObject({ code: 450, text: expect.stringContaining('suspended') });
    expect(await stack.login(ANN, PASSWORD)).toContain('Domain suspended');
    expect(await submit(OUTSIDE)).toMatchObject({ code: 450, text: NOT_SENT });
    await stack.rig.retryQueue();
    await stack.rig.deferral(FAR, 'on hold');
  });

  it('does not stop the mail of another partner', async () => {
    expect(await stack.receive({ to: 'tostaff@acme.test', subject: 'to acme' })).toMatchObject({ code: 250 });
    await stack.rig.arrival('alice@acme.test', 'to acme');
    const sent = await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE, subject: 'of acme' });
    expect(sent.code).toBe(250);
    await stack.rig.relays[0].arrival('of acme');
  });

  it('is received, read and sent again when the last cause is lifted, with what was queued', async () => {
    await stack.platform.master.put('/partners/staged/suspend', { cause: 'abuse', stage: 'changes' });
    await stack.platform.master.put('/partners/staged/activate', { cause: 'operator' });
    expect(await stack.receive({ to: ANN, subject: 'after all' })).toMatchObject({ code: 250 });
    expect((await submit(OUTSIDE)).code).toBe(450);
    await stack.platform.master.put('/partners/staged/activate');
    await stack.rig.arrival(ANN, 'after all');
    expect(await stack.login(ANN, PASSWORD)).toBe('OK');
    expect((await submit(OUTSIDE, 'sent after')).code).toBe(250);
    await stack.rig.retryQueue();
    await stack.rig.relays[0].arrival('queued before');
    await stack.rig.relays[0].arrival('sent after');
    expect(await partner.put(`/users/${ANN}`, { name: 'Ann' })).toMatchObject({ name: 'Ann' });
  });
});
