import { createHmac } from 'node:crypto';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { SmtpReply, TestMessage } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const WEBHOOK_KEY = Buffer.from('the-webhook-key-of-the-mail-rig!');
const MB = 1_048_576;
const SESSIONS = 4;

describeStack('outbound mail with the real policy daemon', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      environment: { RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY.toString('base64')}` },
    });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** Adds a verified domain of acme with a mailbox `user@`. */
  async function aSender(domain: string): Promise<string> {
    await addDomain(stack.acme, domain);
    await addMailboxes(stack.acme, `user@${domain}`);
    return `user@${domain}`;
  }
  const send = async (user: string, message: Partial<TestMessage> = {}): Promise<SmtpReply> =>
    await stack.submit(user, { from: user, to: OUTSIDE, ...message });
  const outbound = async (domain: string): Promise<Record<string, unknown>> =>
    await stack.platform.master.get(`/domains/${domain}/outbound`);
  const relayed = (sender: string): number =>
    stack.rig.relays[0].messages.filter(({ from }) => from === sender).reduce((sum, { to }) => sum + to.length, 0);

  it('of an unverified domain passes to a mailbox on the platform, and to the outside once it is verified', async () => {
    // Only the worker queries the relay provider.
    await stack.platform.worker.stop();
    await stack.platform.master.post('/domains/', { name: 'fresh.test', partner_ref: 'acme' });
    await addMailboxes(stack.acme, 'user@fresh.test');
    expect(await send('user@fresh.test')).toMatchObject({
      code: 550,
      text: expect.stringContaining('fresh.test is not verified'),
    });
    expect(await send('user@fresh.test', { to: 'alice@acme.test', subject: 'to a colleague' })).toMatchObject({
      code: 250,
    });
    await stack.rig.arrival('alice@acme.test', 'to a colleague');
    await stack.platform.worker.start();
    await until('the verification', async () => (await stack.acme.get('/domains/fresh.test/relay-status')).verified);
    expect(await send('user@fresh.test', { subject: 'verified' })).toMatchObject({ code: 250 });
    expect(await stack.rig.relays[0].arrival('verified')).toMatchObject({ from: 'user@fresh.test', to: [OUTSIDE] });
    expect(await outbound('fresh.test')).toMatchObject({ sent_today: 1 });
  });

  it('counts each outside recipient, and no recipient on the platform', async () => {
    const user = await aSender('counted.test');
    const to = [OUTSIDE, 'other@elsewhere.test', 'alice@acme.test', 'carol@beta.test'];
    expect(await send(user, { to, subject: 'to four' })).toMatchObject({ code: 250 });
    await stack.rig.arrival('carol@beta.test', 'to four');
    await stack.rig.arrival('alice@acme.test', 'to four');
    expect(await outbound('counted.test')).toMatchObject({ sent_today: 2 });
  });

  it('over the daily limit is deferred, and in monitor mode passes', async () => {
    const user = await aSender('limited.test');
    await stack.acme.put('/domains/limited.test/outbound', { daily_limit: 2 });
    expect((await send(user)).code).toBe(250);
    expect((await send(user)).code).toBe(250);
    expect(await send(user)).toMatchObject({ code: 450, text: expect.stringContaining('daily sending limit') });
    await until('what was accepted to be relayed', async () => relayed(user) === 2);
    expect(await outbound('limited.test')).toMatchObject({ sent_today: 2 });
    await stack.platform.master.put('/domains/limited.test/outbound', { outbound_enforcement: 'monitor' });
    expect((await send(user, { subject: 'monitored' })).code).toBe(250);
    await stack.rig.relays[0].arrival('monitored');
    expect(await outbound('limited.test')).toMatchObject({ sent_today: 3 });
  });

  it('over the daily limit of one mailbox is deferred, and another mailbox’s mail passes', async () => {
    const user = await aSender('neighbours.test');
    await addMailboxes(stack.acme, 'other@neighbours.test');
    await stack.acme.put(`/users/${user}`, { outbound_daily_limit: 1 });
    expect((await send(user)).code).toBe(250);
    expect(await send(user)).toMatchObject({ code: 450, text: expect.stringContaining('This mailbox has reached') });
    expect((await send('other@neighbours.test')).code).toBe(250);
  });

  it('at the transfer cap is deferred, and passes when the cap is raised; inbound mail is accepted', async () => {
    const user = await aSender('heavy.test');
    await stack.platform.master.put('/domains/heavy.test/transfer', { transfer_monthly_mb: 1 });
    await stack.platform.policy.post('/transfer/increments', {
      items: [{ domain: 'heavy.test', bytes: MB, id: 'heavy' }],
    });
    expect(await send(user)).toMatchObject({ code: 450, text: expect.stringContaining('transfer limit') });
    expect((await stack.receive({ to: user })).code).toBe(250);
    await stack.platform.master.put('/domains/heavy.test/transfer', { transfer_monthly_mb: 2 });
    expect((await send(user)).code).toBe(250);
  });

  it('of a domain that is blocked for its bounces stays on the platform, and leaves when it is unblocked', async () => {
    const user = await aSender('bouncing.test');
    expect((await send(user)).code).toBe(250);
    for (let bounce = 0; bounce < 10; bounce += 1) {
      await postBounce(`${stack.platform.url}/webhooks/relay`, user, bounce);
    }
    await until('the block', async () => (await outbound('bouncing.test')).outbound_status === 'blocked');
    // Within 2 s after a preview, Postfix defers what the daemon did not ask about.
    const refused = await until('the refusal', async () => {
      const reply = await send(user);
      expect(reply.code).not.toBe(250);
      return reply.code === 450 ? null : reply;
    });
    expect(refused).toMatchObject({ code: 550, text: expect.stringContaining('too many') });
    expect(await send(user, { to: ['carol@beta.test', user], subject: 'stays here' })).toMatchObject({ code: 250 });
    await stack.rig.arrival('carol@beta.test', 'stays here');
    await stack.platform.master.put('/domains/bouncing.test/outbound', { outbound_status: 'active' });
    expect((await send(user)).code).toBe(250);
  });

  it('with another partner’s sender in its header is refused, and X-SES fields are removed', async () => {
    const spoofed = { from: 'alice@acme.test', to: OUTSIDE, headerFrom: 'carol@beta.test', subject: 'spoofed' };
    expect(await stack.submit('alice@acme.test', spoofed)).toMatchObject({
      code: 550,
      text: expect.stringContaining('carol@beta.test'),
    });
    const headers = ['X-SES-CONFIGURATION-SET: theirs', 'X-Kept: yes'];
    expect((await send('alice@acme.test', { subject: 'orders', headers })).code).toBe(250);
    const { text } = await stack.rig.relays[0].arrival('orders');
    expect(text).toContain('X-Kept: yes');
    expect(text).not.toMatch(/X-SES-/i);
    expect(stack.rig.relays[0].messages.filter((message) => message.text.includes('spoofed'))).toEqual([]);
  });

  it('inbound mail counts as transfer, each delivery once, also when it arrived while the daemon was killed', async () => {
    const user = await aSender('metered.test');
    const stored = async (): Promise<number> => {
      const sizes = await stack.rig.doveadm('fetch', '-u', user, 'size.physical', 'mailbox', 'INBOX', 'all');
      return [...sizes.matchAll(/size\.physical: (\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
    };
    const metered = async (): Promise<unknown> => (await outbound('metered.test')).bytes_this_month;
    await stack.receive({ to: user, subject: 'first', body: 'x'.repeat(5_000) });
    await stack.rig.arrival(user, 'first');
    await until('the first message to be metered', async () => (await metered()) === (await stored()));
    await stack.policy.kill();
    await stack.receive({ to: [user, 'alice@acme.test'], subject: 'second', body: 'x'.repeat(700) });
    await stack.rig.arrival(user, 'second');
    await stack.policy.start();
    await until('the second message to be metered', async () => (await metered()) === (await stored()));
    await stack.policy.stop();
    await stack.policy.start();
    await stack.receive({ to: user, subject: 'third' });
    await stack.rig.arrival(user, 'third');
    await until('all to be metered, and nothing twice', async () => (await metered()) === (await stored()));
  });

  it('is deferred while the API is unavailable, and passes when the API is available again', async () => {
    await stack.platform.api.kill();
    expect((await send('alice@acme.test')).code).toBe(451);
    await stack.platform.api.start();
    // The test retries like a mail program: the daemon calls a failed API again after a second.
    await until('the mail to be taken', async () => (await send('alice@acme.test', { subject: 'back' })).code === 250);
    await stack.rig.relays[0].arrival('back');
  });

  it('is counted once and never lost, although the daemon, the API and the database are killed during a stream', async () => {
    const user = await aSender('stream.test');
    await stack.platform.master.put('/domains/stream.test/outbound', { outbound_tier: 'unlimited' });
    const stream = new Submissions(stack, user);
    await stream.accepts(10);
    await stack.policy.kill();
    await stream.fails();
    await stack.policy.start();
    await stream.accepts(10);
    await stack.platform.api.kill();
    await stream.fails();
    await stack.platform.api.start();
    await stream.accepts(10);
    await stack.rig.services.mariadb?.kill();
    await stream.fails();
    await stack.rig.services.mariadb?.start();
    await stack.rig.postfix('postfix', 'reload');
    await stream.accepts(10);
    await stream.end();
    await until('every accepted message to be relayed', async () => {
      await stack.rig.postfix('postqueue', '-f');
      const texts = stack.rig.relays[0].messages.filter(({ from }) => from === user).map(({ text }) => text);
      return stream.accepted.every((subject) => texts.some((text) => text.includes(`Subject: ${subject}\r\n`)));
    });
    const counted = Number((await outbound('stream.test')).sent_today);
    expect(counted).toBeGreaterThanOrEqual(relayed(user));
    expect(counted).toBeLessThanOrEqual(relayed(user) + stream.interrupted);
  });
});

/**
 * Sends messages of one user to outside recipients in several sessions at once, so that a kill interrupts some of them.
 */
class Submissions {
  readonly accepted: string[] = [];
  /** The number of messages that were sent completely and not accepted. Each may have been counted. */
  interrupted = 0;
  /** The number of messages that were refused earlier. None of them may be counted. */
  private refused = 0;
  private ending = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly stack: WholeStack<MailsteadProcess>,
    private readonly user: string,
  ) {
    this.running = Promise.all(Array.from({ length: SESSIONS }, async (_, session) => await this.run(session)));
  }

  /** Waits until this number of further messages is accepted. */
  async accepts(more: number): Promise<void> {
    const goal = this.accepted.length + more;
    await until(`${goal} messages to be accepted`, async () => this.accepted.length >= goal);
  }

  /** Waits until one more message is not accepted. */
  async fails(): Promise<void> {
    const failures = (): number => this.interrupted + this.refused;
    const before = failures();
    await until('a message to be refused', async () => failures() > before);
  }

  async end(): Promise<void> {
    this.ending = true;
    await this.running;
  }

  private async run(session: number): Promise<void> {
    for (let number = 0; !this.ending; number += 1) {
      const subject = `stream ${session}-${number}.`;
      const outcome = await this.submit(subject).catch(() => 'interrupted' as const);
      if (outcome === 'accepted') {
        this.accepted.push(subject);
      } else {
        this[outcome] += 1;
      }
    }
  }

  /** @throws Error when the connection closes after the TLS handshake. */
  private async submit(subject: string): Promise<'accepted' | 'interrupted' | 'refused'> {
    // While the milter is unavailable, Postfix refuses every command, including STARTTLS.
    const client = await this.stack.rig.submission().catch(() => null);
    if (client === null) return 'refused';
    try {
      if ((await client.login(this.user, PASSWORD)).code !== 235) return 'refused';
      const { reply, recipients } = await client.send({ from: this.user, to: OUTSIDE, subject });
      if (reply.code === 250) return 'accepted';
      return recipients[0]?.code === 250 ? 'interrupted' : 'refused';
    } finally {
      client.close();
    }
  }
}

/** Reports a bounce to the API, signed for the sandbox (Standard Webhooks). */
async function postBounce(url: string, sender: string, number: number): Promise<void> {
  const now = new Date();
  const recipient = `nobody${number}@elsewhere.test`;
  const body = JSON.stringify({
    eventType: 'Bounce',
    bounce: {
      feedbackId: `feedback-${number}`,
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: recipient, action: 'failed', status: '5.1.1' }],
      timestamp: now.toISOString(),
    },
    mail: { timestamp: now.toISOString(), messageId: `message-${number}`, source: sender, destination: [recipient] },
  });
  const id = `msg_bounce_${number}`;
  const at = String(Math.floor(now.getTime() / 1_000));
  const signature = createHmac('sha256', WEBHOOK_KEY).update(`${id}.${at}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  if (response.status !== 200) throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
}
