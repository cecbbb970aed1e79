import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias } from './testing/platform.js';
import { RelayStandIn } from './testing/relay-stand-in.js';
import { shownMessages } from './testing/shown-messages.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const SRS_DOMAIN = 'srs.rig.test';

describeStack('the trail of a message that does not go straight', () => {
  let stack: WholeStack<MailsteadProcess>;
  let outside: RelayStandIn;
  let tables: SrsStandIn[];

  beforeAll(async () => {
    tables = [await SrsStandIn.start(SRS_DOMAIN, 'forward'), await SrsStandIn.start(SRS_DOMAIN, 'reverse')];
    const [senders, recipients] = tables as [SrsStandIn, SrsStandIn];
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      defaultRelay: 'ses',
      environment: { ALLOW_EXTERNAL_FORWARD: 'true' },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders.table, recipientMap: recipients.table } },
    });
    const { rig } = stack;
    outside = await RelayStandIn.start(rig.certificate, 'other', false);
    const mx = rig.settings.postfix.configDirectory;
    await rig.postfixAt(mx, 'postconf', '-e', `default_transport=direct:[127.0.0.1]:${outside.settings.port}`);
    await rig.postfixAt(mx, 'postfix', 'reload');
    await addAlias(stack.acme, 'sales@acme.test', BOB);
    await addAlias(stack.acme, 'away@acme.test', 'far@elsewhere.test');
  });
  afterAll(async () => {
    await stack?.stop();
    await outside?.stop();
    await Promise.all((tables ?? []).map(async (table) => await table.stop()));
  });

  const stepsOf = async (recipient: string, states: string[], caller = stack.acme) =>
    (await shownMessages(caller, recipient, states)).map(({ steps }) => steps.map(({ step }) => step));
  /** Submits a message that the relay defers. */
  const submitDeferred = async (to: string): Promise<void> => {
    stack.rig.relays[0].mode = 'throttle';
    expect(await stack.submit(ALICE, { from: ALICE, to, subject: `to ${to}` })).toMatchObject({ code: 250 });
    await stack.rig.deferral(to, 'Throttling');
  };

  it('waits while the relay defers it, with what the relay said, and is relayed when it leaves later', async () => {
    const to = 'slow@elsewhere.test';
    await submitDeferred(to);
    const [waiting] = await shownMessages(stack.acme, to, ['out deferred']);
    expect(waiting?.steps.at(-1)?.detail).toMatch(/Throttling/);
    stack.rig.relays[0].mode = 'accept';
    await stack.rig.retryQueue();
    expect(await stepsOf(to, ['out relayed'])).toEqual([['accepted', 'deferred', 'relayed']]);
  });

  it('is bounced when the lifetime of the queue is over', async () => {
    const to = 'never@elsewhere.test';
    await submitDeferred(to);
    const submission = configDirectoryOf(stack.rig.settings, 'submission');
    await stack.rig.postfixAt(submission, 'postconf', '-e', 'maximal_queue_lifetime = 1s');
    await until('the end of the message', async () => {
      await stack.rig.retryQueue();
      return (await stack.rig.queue()).every(({ recipients }) => recipients.every(({ address }) => address !== to));
    });
    const [message] = await shownMessages(stack.acme, to, ['out bounced']);
    expect(message?.reason).toBe('expired');
    expect(message?.steps.map(({ step }) => step)).toEqual(['accepted', 'deferred', 'bounced']);
    stack.rig.relays[0].mode = 'accept';
    await stack.rig.postfixAt(submission, 'postconf', '-e', 'maximal_queue_lifetime = 5d');
  });

  it('to an alias has the mailbox that it became as a step', async () => {
    expect(await stack.receive({ to: 'sales@acme.test', subject: 'to an alias' })).toMatchObject({ code: 250 });
    const [message] = await shownMessages(stack.acme, 'sales@acme.test', ['in stored']);
    // Postfix logs the sender that SRS makes of it.
    expect(message).toMatchObject({ sender: OUTSIDE, domain: 'acme.test' });
    expect(message?.steps.at(-1)).toMatchObject({ step: 'stored', detail: expect.stringContaining(`to ${BOB}: 250`) });
  });

  it('that an alias sends to the outside is forwarded, with the address it went to', async () => {
    expect(await stack.receive({ to: 'away@acme.test', subject: 'away' })).toMatchObject({ code: 250 });
    await outside.arrival('away');
    const [message] = await shownMessages(stack.acme, 'away@acme.test', ['in forwarded']);
    expect(message?.steps.at(-1)).toMatchObject({
      step: 'forwarded',
      detail: expect.stringContaining('to far@elsewhere.test: 250'),
    });
  });

  it('is seen by its partner alone', async () => {
    expect(await stack.beta.get('/messages?recipient=slow@elsewhere.test')).toEqual([]);
    expect(await stack.beta.get('/messages?recipient=sales@acme.test')).toEqual([]);
  });
});
