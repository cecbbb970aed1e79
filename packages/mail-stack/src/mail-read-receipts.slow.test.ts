import { createHmac } from 'node:crypto';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addMailboxes, PASSWORD } from './testing/platform.js';
import { RECEIPT_PROGRAMS, receiptOf } from './testing/read-receipts.js';
import type { SmtpClient, SmtpReply } from './testing/smtp-client.js';
import { SrsStandIn } from './testing/srs-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const WEBHOOK_KEY = Buffer.from('the-webhook-key-of-the-mail-rig!');
const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';
const SRS_DOMAIN = 'srs.rig.test';
const [THUNDERBIRD] = RECEIPT_PROGRAMS;
const PLAIN_TYPE = 'Content-Type: text/plain';
const RECEIPT_TYPE = 'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"';
const NO_RECEIPT = { code: 550, text: expect.stringContaining('must be a read receipt') };

describeStack('read receipts, which mail programs send without an envelope sender,', () => {
  let stack: WholeStack<MailsteadProcess>;
  let tables: SrsStandIn[];

  beforeAll(async () => {
    const [senders, recipients] = [
      await SrsStandIn.start(SRS_DOMAIN, 'forward'),
      await SrsStandIn.start(SRS_DOMAIN, 'reverse'),
    ];
    tables = [senders, recipients];
    stack = await WholeStack.startWithDaemon({
      ownDatabase: true,
      defaultRelay: 'ses',
      environment: {
        ALLOW_EXTERNAL_FORWARD: 'true',
        RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY.toString('base64')}`,
      },
      settings: { forwarding: { srsDomain: SRS_DOMAIN, senderMap: senders.table, recipientMap: recipients.table } },
    });
    await addMailboxes(stack.acme, 'daily@acme.test', 'closed@acme.test');
    await addAlias(stack.acme, 'many@acme.test', 'one@elsewhere.test', 'two@elsewhere.test', BOB);
    await addAlias(stack.acme, 'single@acme.test', 'only@elsewhere.test', BOB);
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all((tables ?? []).map(async (table) => await table.stop()));
  });

  const outbound = () => stack.acme.get('/domains/acme.test/outbound');
  const sentToday = async () => Number((await outbound()).sent_today);
  const send = (user: string, to: string | string[], text: string): Promise<SmtpReply> =>
    stack.submit(user, { from: '', to, text });
  const thunderbirds = (from: string, to: string, about: string) => {
    if (THUNDERBIRD === undefined) throw new Error('No program writes receipts');
    return receiptOf(THUNDERBIRD, from, to, about);
  };
  const textOf = (fields: readonly string[], body = 'Hello') => [...fields, '', body, ''].join('\r\n');
  const relayed = (subject: string) =>
    stack.rig.relays[0].messages.filter(({ text }) => text.includes(`Subject: ${subject}\r\n`));

  async function delivered(user: string, subject: string): Promise<string> {
    await stack.rig.arrival(user, subject);
    return await stack.rig.doveadm('fetch', '-u', user, 'hdr', 'mailbox', 'INBOX', 'subject', subject);
  }

  async function submission(user: string): Promise<SmtpClient> {
    const client = await stack.rig.submission();
    await client.login(user, PASSWORD);
    return client;
  }

  describe.each(RECEIPT_PROGRAMS)('those of $name', (program) => {
    it('reach a mailbox here without a sender, marked as an automatic answer, and count nothing', async () => {
      const before = await sentToday();
      const { subject, text } = receiptOf(program, ALICE, CAROL, 'the minutes');
      expect(await send(ALICE, CAROL, text)).toMatchObject({ code: 250 });
      const header = await delivered(CAROL, subject);
      expect(header).toMatch(/^Return-Path: <>$/m);
      expect(header.match(/^Auto-Submitted:.*$/gm)).toEqual(['Auto-Submitted: auto-replied']);
      expect(header).not.toMatch(/X-SES-/i);
      expect(await sentToday()).toBe(before);
    });

    it('leave with the login as their sender, the mark for the relay, and count as one message', async () => {
      const before = await sentToday();
      const { subject, text } = receiptOf(program, ALICE, OUTSIDE, 'the offer');
      expect(await send(ALICE, OUTSIDE, text)).toMatchObject({ code: 250 });
      const message = await stack.rig.relays[0].arrival(subject);
      expect(message).toMatchObject({ from: ALICE, to: [OUTSIDE] });
      const [header = ''] = message.text.split('\r\n\r\n');
      expect(header.match(/^Auto-Submitted:.*$/gim)).toEqual([expect.stringContaining('auto-replied')]);
      expect(header).toMatch(/^X-SES-MESSAGE-TAGS: mailstead=mx_rig_test-\w+, mailstead_receipt=yes\r?$/m);
      expect(await sentToday()).toBe(before + 1);
    });
  });

  it('with the login as their envelope sender are receipts too', async () => {
    const { subject, text } = thunderbirds(ALICE, OUTSIDE, 'with a sender');
    expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, text })).toMatchObject({ code: 250 });
    expect((await stack.rig.relays[0].arrival(subject)).text).toContain('mailstead_receipt=yes');
  });

  it('to oneself arrive once and are answered by nothing', async () => {
    const { subject, text } = thunderbirds(BOB, BOB, 'to myself');
    expect(await send(BOB, BOB, text)).toMatchObject({ code: 250 });
    expect(await delivered(BOB, subject)).toMatch(/^Return-Path: <>$/m);
    await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
    expect((await stack.rig.inbox(BOB)).filter((each) => each === subject)).toHaveLength(1);
  });

  it('to an alias count as its destinations: one outside leaves, two are refused and nothing is counted', async () => {
    const before = await sentToday();
    const single = thunderbirds(ALICE, 'single@acme.test', 'one destination');
    expect(await send(ALICE, 'single@acme.test', single.text)).toMatchObject({ code: 250 });
    expect(await stack.rig.relays[0].arrival(single.subject)).toMatchObject({
      from: ALICE,
      to: ['only@elsewhere.test'],
    });
    await stack.rig.arrival(BOB, single.subject);
    const many = thunderbirds(ALICE, 'many@acme.test', 'two destinations');
    expect(await send(ALICE, 'many@acme.test', many.text)).toMatchObject({
      code: 550,
      text: expect.stringContaining('[message_exceeds_limit]'),
    });
    expect(await sentToday()).toBe(before + 1);
    expect(relayed(many.subject)).toEqual([]);
  });

  describe('of which one forges the form', () => {
    const huge = Array.from({ length: 300 }, (_, index) => `X-Fill-${index}: ${'x'.repeat(900)}`);
    const from = `From: <${ALICE}>`;

    it.each([
      ['a plain message', [from, PLAIN_TYPE], NO_RECEIPT],
      ['without a Content-Type', [from], NO_RECEIPT],
      ['another report', [from, RECEIPT_TYPE.replace('disposition-notification', 'delivery-status')], NO_RECEIPT],
      ['with two Content-Types', [from, RECEIPT_TYPE, PLAIN_TYPE], NO_RECEIPT],
      [
        'in a comment',
        [from, 'Content-Type: text/plain; (multipart/report;\r\n\treport-type=disposition-notification)'],
        NO_RECEIPT,
      ],
      [
        'in a boundary',
        [from, 'Content-Type: multipart/report; boundary="; report-type=disposition-notification"'],
        NO_RECEIPT,
      ],
      ['with a large header', [from, RECEIPT_TYPE, ...huge], { code: 550, text: expect.stringContaining('too large') }],
      [
        'from another login',
        [`From: <${BOB}>`, RECEIPT_TYPE],
        { code: 550, text: expect.stringContaining('[sender_not_allowed]') },
      ],
      ['from nobody', [RECEIPT_TYPE], { code: 550, text: expect.stringContaining('The From field') }],
    ])('%s is refused and not counted, and the same session sends on', async (name, fields, refusal) => {
      const before = await sentToday();
      const client = await submission(ALICE);
      const subject = `forged ${name}`;
      for (const to of [OUTSIDE, BOB]) {
        const { reply } = await client.send({ from: '', to, text: textOf([...fields, `Subject: ${subject}`]) });
        expect(reply).toMatchObject(refusal);
      }
      const after = thunderbirds(ALICE, OUTSIDE, subject);
      expect((await client.send({ from: '', to: OUTSIDE, text: after.text })).reply).toMatchObject({ code: 250 });
      await client.quit();
      await stack.rig.relays[0].arrival(after.subject);
      expect(relayed(subject)).toEqual([]);
      expect(await sentToday()).toBe(before + 1);
    });

    it('a report within another multipart is refused', async () => {
      const fields = [from, 'Subject: nested', 'Content-Type: multipart/mixed; boundary="outer"'];
      const body = ['--outer', RECEIPT_TYPE, '', '--b', PLAIN_TYPE, '', 'Hello', '--b--', '--outer--'].join('\r\n');
      expect(await send(ALICE, OUTSIDE, textOf(fields, body))).toMatchObject(NO_RECEIPT);
    });

    it('one with two recipients is refused, outside, here and in both places', async () => {
      const before = await sentToday();
      for (const to of [
        [OUTSIDE, 'second@elsewhere.test'],
        [BOB, CAROL],
        [BOB, OUTSIDE],
      ]) {
        const { text } = thunderbirds(ALICE, OUTSIDE, 'to two');
        expect(await send(ALICE, to, text)).toMatchObject(NO_RECEIPT);
      }
      expect(await sentToday()).toBe(before);
    });

    it('is refused in chunks and in pipelined commands too, also between two that pass', async () => {
      const forged = textOf([from, 'Subject: forged in chunks', PLAIN_TYPE]);
      const real = thunderbirds(ALICE, OUTSIDE, 'in chunks');
      const client = await submission(ALICE);
      const texts = [real.text, forged, real.text];
      const chunks = texts.map((text) => `MAIL FROM:<>\r\nRCPT TO:<${OUTSIDE}>\r\nBDAT ${text.length} LAST\r\n${text}`);
      client.write(chunks.join(''));
      const codes: number[] = [];
      for (let read = 0; read < 3 * texts.length; read += 1) codes.push((await client.readReply()).code);
      expect(codes).toEqual([250, 250, 250, 250, 250, 550, 250, 250, 250]);
      await client.quit();
      await until('both receipts', async () => relayed(real.subject).length === 2);
      expect(relayed('forged in chunks')).toEqual([]);
    });
  });

  it('are refused without a login', async () => {
    const client = await stack.rig.submission();
    expect(await client.command('MAIL FROM:<>')).toMatchObject({ code: 554 });
    await client.quit();
  });

  it('are 50 a mailbox and day, also after a restart of the daemon; its other mail goes on', async () => {
    const user = 'daily@acme.test';
    const client = await submission(user);
    const { text } = thunderbirds(user, OUTSIDE, 'one of many');
    const reply = async () => (await client.send({ from: '', to: OUTSIDE, text })).reply;
    for (let sent = 0; sent < 50; sent += 1) expect(await reply()).toMatchObject({ code: 250 });
    const limited = { code: 450, text: expect.stringContaining('[mailbox_limit]') };
    expect(await reply()).toMatchObject(limited);
    expect((await client.send({ from: '', to: BOB, text })).reply).toMatchObject({ code: 250 });
    expect((await client.send({ from: user, to: OUTSIDE, subject: 'no receipt' })).reply).toMatchObject({ code: 250 });
    await client.quit();
    await stack.policy.stop();
    await stack.policy.start();
    expect(await send(user, OUTSIDE, text)).toMatchObject(limited);
  });

  it('that the relay refuses are told to the login, and to nobody else', async () => {
    const relay = stack.rig.relays[0];
    const { text } = thunderbirds(ALICE, 'refused@elsewhere.test', 'refused by the relay');
    relay.mode = 'reject';
    try {
      expect(await send(ALICE, 'refused@elsewhere.test', text)).toMatchObject({ code: 250 });
      await stack.rig.arrival(ALICE, 'Undelivered Mail Returned to Sender');
    } finally {
      relay.mode = 'accept';
    }
    await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
  });

  it('are deferred while the milter or the API is away', async () => {
    const user = 'closed@acme.test';
    const { subject, text } = thunderbirds(user, OUTSIDE, 'while it is away');
    await stack.platform.api.stop();
    try {
      expect((await send(user, OUTSIDE, text)).code).toBe(451);
    } finally {
      await stack.platform.api.start();
    }
    const client = await submission(user);
    await stack.policy.stop();
    try {
      expect((await client.send({ from: '', to: BOB, text })).reply.code).toBeGreaterThanOrEqual(450);
    } finally {
      await stack.policy.start();
      client.close();
    }
    expect(relayed(subject)).toEqual([]);
    expect(await stack.rig.inbox(BOB)).not.toContain(subject);
  });

  describe('of which a bounce comes back from SES', () => {
    async function tell(id: string, mail: object, recipient: string): Promise<void> {
      const at = new Date().toISOString();
      const body = JSON.stringify({
        eventType: 'Bounce',
        mail: { timestamp: at, messageId: id, source: ALICE, destination: [recipient], ...mail },
        bounce: {
          timestamp: at,
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ emailAddress: recipient, action: 'failed', status: '5.1.1' }],
        },
      });
      const seconds = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', WEBHOOK_KEY).update(`${id}.${seconds}.${body}`).digest('base64');
      const response = await fetch(`${stack.platform.url}/webhooks/relay`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': seconds,
          'webhook-signature': `v1,${signature}`,
        },
        body,
      });
      expect(response.status).toBe(200);
    }

    /** The tags and the Content-Type of a message as the relay received it, as SES's event has them. */
    async function asSes(subject: string): Promise<object> {
      const { text } = await stack.rig.relays[0].arrival(subject);
      const [header = ''] = text.split('\r\n\r\n');
      const field = (name: string) =>
        new RegExp(`^${name}: ?((?:.|\\r\\n[ \\t])*)`, 'im').exec(header)?.[1]?.replace(/\r$/, '') ?? '';
      const tags = Object.fromEntries(
        field('X-SES-MESSAGE-TAGS')
          .split(/,\s*/)
          .map((tag) => tag.split('='))
          .map(([name = '', value]) => [name, [value]]),
      );
      return { tags, headers: [{ name: 'Content-Type', value: field('Content-Type') }] };
    }

    const bounces = async () => Number((await outbound()).bounces);
    const listed = async () =>
      ((await stack.acme.get('/domains/acme.test/bounces')) as unknown as { recipient: string }[]).map(
        ({ recipient }) => recipient,
      );

    it('the bounce is listed and not counted, and that of a message with a forged form counts', async () => {
      const receipt = thunderbirds(ALICE, 'gone@elsewhere.test', 'to be bounced');
      expect(await send(ALICE, 'gone@elsewhere.test', receipt.text)).toMatchObject({ code: 250 });
      await tell('of-a-receipt', await asSes(receipt.subject), 'gone@elsewhere.test');
      await until('the bounce in the list', async () => (await listed()).includes('gone@elsewhere.test'));
      expect(await bounces()).toBe(0);

      // Two recipients, so it is no receipt, whatever its Content-Type says.
      const to = ['lost@elsewhere.test', 'found@elsewhere.test'];
      const forged = textOf([`From: <${ALICE}>`, 'Subject: spam', RECEIPT_TYPE]);
      expect(await stack.submit(ALICE, { from: ALICE, to, text: forged })).toMatchObject({ code: 250 });
      await tell('of-a-forgery', await asSes('spam'), 'lost@elsewhere.test');
      await until('the bounce to be counted', async () => (await bounces()) === 1);
    });
  });
});
