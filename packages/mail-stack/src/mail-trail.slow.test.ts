import { createHmac } from 'node:crypto';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addMailboxes } from './testing/platform.js';
import { shownMessages } from './testing/shown-messages.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const WEBHOOK_KEY = Buffer.from('the-webhook-key-of-the-mail-rig!');
const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';

describeStack('the trail of a message', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      defaultRelay: 'ses',
      environment: { RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY.toString('base64')}` },
    });
  });
  afterAll(async () => {
    await stack?.stop();
  });

  const shown = (recipient: string, states: string[], caller = stack.platform.master) =>
    shownMessages(caller, recipient, states);

  it('that a user sent to the outside ends at the relay, with the answer of the relay', async () => {
    expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, subject: 'to the relay' })).toMatchObject({
      code: 250,
    });
    const [message] = await shown(OUTSIDE, ['out relayed'], stack.acme);
    expect(message).toMatchObject({ direction: 'out', domain: 'acme.test', sender: ALICE });
    expect(message?.message_id).toMatch(/^<.+>$/);
    expect(message?.steps.map(({ step }) => step)).toEqual(['accepted', 'relayed']);
    expect(message?.steps.at(-1)?.detail).toMatch(/^250 /);
  });

  it('has the time at which it was sent, also when the host of the mail server is in another zone', async () => {
    const recipient = 'clock@elsewhere.test';
    // Postfix's log has whole seconds.
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    await stack.submit(ALICE, { from: ALICE, to: recipient, subject: 'the time' });
    const [message] = await shown(recipient, ['out relayed'], stack.acme);
    const times = message?.steps.map(({ at }) => Date.parse(`${at}Z`)) ?? [];
    expect(times).toHaveLength(2);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  });

  it('to a colleague is two rows that end in the mailbox', async () => {
    await stack.submit(ALICE, { from: ALICE, to: BOB, subject: 'to a colleague' });
    const messages = await shown(BOB, ['in stored', 'out stored'], stack.acme);
    for (const { steps } of messages) expect(steps.map(({ step }) => step)).toEqual(['accepted', 'stored']);
  });

  it('to a mailbox of another partner is accepted for the one and stored for the other', async () => {
    await stack.submit(ALICE, { from: ALICE, to: CAROL, subject: 'to a rival' });
    expect(await shown(CAROL, ['in stored'], stack.beta)).toMatchObject([{ domain: 'beta.test', sender: ALICE }]);
    expect(await shown(CAROL, ['out accepted'], stack.acme)).toMatchObject([{ steps: [{ step: 'accepted' }] }]);
  });

  it('to an alias of another partner names the alias to both, and its mailbox to nobody but the owner', async () => {
    await addAlias(stack.beta, 'team@beta.test', CAROL);
    await stack.submit(ALICE, { from: ALICE, to: 'team@beta.test', subject: 'to an alias of a rival' });
    await stack.rig.arrival(CAROL, 'to an alias of a rival');
    const [own] = await shown('team@beta.test', ['out accepted'], stack.acme);
    expect(JSON.stringify(own)).not.toContain('carol');
    expect(await shown('team@beta.test', ['in stored'], stack.beta)).toMatchObject([{ domain: 'beta.test' }]);
  });

  it('from the outside ends in the mailbox, also while the daemon was killed', async () => {
    await addMailboxes(stack.acme, 'dora@acme.test');
    await stack.policy.kill();
    await stack.receive({ to: 'dora@acme.test', subject: 'from outside' });
    await stack.rig.arrival('dora@acme.test', 'from outside');
    await stack.policy.start();
    expect(await shown('dora@acme.test', ['in stored'])).toMatchObject([
      { domain: 'acme.test', sender: OUTSIDE, steps: [{ step: 'accepted' }, { step: 'stored' }] },
    ]);
  });

  it('to an address with an extension has the address as it was given', async () => {
    await stack.receive({ to: 'bob+news@acme.test', subject: 'to an extension' });
    const extended = encodeURIComponent('bob+news@acme.test');
    expect(await shown(extended, ['in stored'])).toMatchObject([{ recipient: 'bob+news@acme.test' }]);
    expect(await stack.acme.get(`/messages?mailbox=${extended}`)).toHaveLength(1);
  });

  it('that is refused has the reason: of the verdict for a user, and for a stranger that there is no such mailbox', async () => {
    await stack.platform.master.put('/domains/acme.test/suspend', {});
    // Within 2 s after a preview the daemon is not asked, and Postfix defers with a text of its own.
    await until('the daemon to be asked', async () => {
      const { text } = await stack.submit(ALICE, { from: ALICE, to: 'soon@elsewhere.test' });
      return text.includes('[domain_suspended]');
    });
    expect(await stack.submit(ALICE, { from: ALICE, to: 'late@elsewhere.test' })).toMatchObject({ code: 450 });
    await stack.platform.master.put('/domains/acme.test/activate', {});
    expect(await shown('late@elsewhere.test', ['out refused'], stack.acme)).toMatchObject([
      { reason: 'domain_suspended', sender: ALICE },
    ]);
    expect(await stack.receive({ to: 'nobody@acme.test' })).toMatchObject({ code: 550 });
    expect(await shown('nobody@acme.test', ['in refused'])).toMatchObject([{ reason: 'unknown_recipient' }]);
  });

  it('that is refused at its end has a row of the recipient that Postfix names, which is the last one', async () => {
    const to = ['first@elsewhere.test', 'last@elsewhere.test'];
    const message = { from: ALICE, headerFrom: 'boss@elsewhere.test', to, subject: 'as somebody else' };
    expect(await stack.submit(ALICE, message)).toMatchObject({ code: 550 });
    const [row] = await shown('last@elsewhere.test', ['out refused'], stack.acme);
    expect(row).toMatchObject({ reason: 'sender_not_allowed', sender: ALICE });
    expect(await stack.acme.get('/messages?recipient=first@elsewhere.test')).toEqual([]);
  });

  it('with a hostile address or a hostile greeting changes no other row', async () => {
    await addMailboxes(stack.acme, 'victim@acme.test');
    const hostile = '"> to=<victim@acme.test>, status=sent"@acme.test';
    const client = await stack.rig.stranger();
    await client.command('EHLO x> to=<victim@acme.test> proto=ESMTP helo=<y');
    await client.command('MAIL FROM:<friend@elsewhere.test>');
    expect(await client.command('RCPT TO:<greeted@acme.test>')).toMatchObject({ code: 550 });
    await client.command('EHLO x>; from=<a@b.test> to=<victim@acme.test> proto=ESMTP helo=<y');
    await client.command('MAIL FROM:<root>');
    expect((await client.command('RCPT TO:<rooted@acme.test>')).code).toBeGreaterThan(400);
    await client.command('EHLO client.test');
    await client.command('MAIL FROM:<friend@elsewhere.test>');
    expect((await client.command(`RCPT TO:<${hostile}>`)).code).toBeGreaterThan(500);
    expect(await client.command('RCPT TO:<after@acme.test>')).toMatchObject({ code: 550 });
    await client.quit();
    await shown('after@acme.test', ['in refused']);
    expect(await shown(encodeURIComponent(hostile), ['in refused'])).toMatchObject([{ recipient: hostile }]);
    expect(await stack.platform.master.get('/messages?recipient=victim@acme.test')).toEqual([]);
  });

  it('is delivered when SES says so with the tag that the message got', async () => {
    const to = 'tagged@elsewhere.test';
    await stack.submit(ALICE, { from: ALICE, to, subject: 'with a tag' });
    const { text } = await stack.rig.relays[0].arrival('with a tag');
    const tag = /^X-SES-MESSAGE-TAGS: mailstead=(\S+)/m.exec(text)?.[1] ?? '';
    await shown(to, ['out relayed'], stack.acme);
    const at = new Date().toISOString();
    const mail = { timestamp: at, messageId: 'of-ses', source: ALICE, tags: { mailstead: [tag] } };
    const delivery = { timestamp: at, recipients: [to], smtpResponse: '250 taken' };
    await tell({ eventType: 'Delivery', mail, delivery });
    const [message] = await shown(to, ['out delivered'], stack.acme);
    expect(message?.steps.at(-1)).toMatchObject({ step: 'delivered', detail: '250 taken' });
  });

  async function tell(event: object): Promise<void> {
    const body = JSON.stringify(event);
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', WEBHOOK_KEY).update(`msg_1.${at}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
    const response = await fetch(`${stack.platform.url}/webhooks/relay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(response.status).toBe(200);
  }
});
