import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import { SmtpClient, type SmtpReply } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const CAROL = 'carol@beta.test';
const OWN = `From: <${ALICE}>`;
const FOREIGN = { code: 550, text: `5.7.1 You may not send as <${CAROL}>` };

/** What it is, the lines that are sent, and those that the relay gets; none: the same. */
const MESSAGES: [string, string[], string[]?][] = [
  [
    'every field as it was written',
    [
      'dATE: Fri, 21 Nov 2025 10:00:00 +0000',
      OWN,
      'X-Blanks:    before, within  \t and behind \t ',
      'X-None:',
      'X-Close:to the colon',
      'X-Folded: by a tab',
      '\tand by blanks',
      '    and by nothing but blanks',
      ' \t ',
      'X-Twice: 1',
      'x-twice: 2',
      'X-Bytes: \xe9\xff\x01\x7f %s %% \\',
      'X-SESSION: not an order to the relay',
      'XX-SES-A: nor this',
      '',
      'Hello',
    ],
  ],
  [
    'every line of the body',
    [
      OWN,
      '',
      '',
      '.',
      '..',
      '. dots',
      'From carol@beta.test',
      `From: ${CAROL}`,
      'X-SES-A: 1',
      ' \t',
      'x'.repeat(998),
      Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
        .join('')
        .replace(/[\r\n]/g, ''),
      '',
      '',
    ],
  ],
  [
    'the fields of the body’s parts, which give no orders and say nothing of the sender',
    [
      OWN,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'X-SES-Part: 1',
      `From: ${CAROL}`,
      '',
      'text',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `From: ${CAROL}`,
      `Sender: ${CAROL}`,
      'X-SES-Forwarded: 1',
      '',
      'forwarded',
      '--b--',
    ],
  ],
  [
    'no order to the relay, however it is written, and all between them',
    [
      'X-SES-CONFIGURATION-SET: first',
      OWN,
      'x-Ses-Source-Arn: folded',
      '\tby a tab',
      ' \t ',
      ' and blanks',
      'X-Kept: 1',
      'X-SES-From-Arn : a blank before the colon',
      'x-ses-from-arn\t: a tab, and the second one',
      'X-SES-Empty:',
      'X-SES-: no name',
      `X-SES-Long: ${'x'.repeat(5_000)}`,
      ' and more',
      'X-Kept: 2',
      ' X-SES-Within: a continuation',
      'X-SES-CONFIGURATION-SET: last',
      '',
      'X-SES-A: body',
    ],
    [OWN, 'X-Kept: 1', 'X-Kept: 2', ' X-SES-Within: a continuation', '', 'X-SES-A: body'],
  ],
  [
    'a hundred orders less',
    [OWN, ...Array.from({ length: 100 }, (_, number) => `X-SES-${number % 7}: ${number}`), 'X-Kept: 1', '', 'Hello'],
    [OWN, 'X-Kept: 1', '', 'Hello'],
  ],
  [
    'a field of 50 kB, and a header of 200',
    [
      ...longField('X-Long-1'),
      ...longField('X-Long-2'),
      OWN,
      ...longField('X-Long-3'),
      ...longField('X-Long-4'),
      '',
      'Hello',
    ],
  ],
  [
    'a field without what follows a NUL, so that it hides nothing',
    [OWN, 'X-A: 1\0\r', 'X-SES-A: 1\0', 'X-SES-B\0: 1', `Sender: ${CAROL}`, '', 'Hello'],
    [OWN, 'X-A: 1', '', 'X-SES-B\0: 1', `Sender: ${CAROL}`, '', 'Hello'],
  ],
  [
    'a blank for a bare CR, so that no field begins behind it',
    [OWN, `X-A: 1\rSender: ${CAROL}`, 'X-B: 2\r\rX-SES-A: 1\r', 'X-C: 3', '', 'Hello'],
    [OWN, `X-A: 1 Sender: ${CAROL}`, 'X-B: 2  X-SES-A: 1 ', 'X-C: 3', '', 'Hello'],
  ],
  [
    'a line that is no field as the first of the body',
    [OWN, 'no field', `Sender: ${CAROL}`, 'X-SES-A: 1', '', 'Hello'],
    [OWN, '', 'no field', `Sender: ${CAROL}`, 'X-SES-A: 1', '', 'Hello'],
  ],
  [
    'a name that is not ASCII as the first line of the body',
    [OWN, 'X-SES-\xe9: 1', `Sender\v: ${CAROL}`, '', 'Hello'],
    [OWN, '', 'X-SES-\xe9: 1', `Sender\v: ${CAROL}`, '', 'Hello'],
  ],
];

describeStack('what passes the milter behind the real Postfix, and when', () => {
  let stack: WholeStack<MailsteadProcess>;
  let subjects = 0;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
    await stack.platform.master.put('/domains/acme.test/outbound', { outbound_tier: 'unlimited' });
  }, 60_000);

  afterAll(async () => {
    await stack?.stop();
  }, 20_000);

  /** A message, with a subject of its own for its first line. */
  function aMessage(...lines: string[]): { subject: string; text: string; from: string; to: string } {
    subjects += 1;
    const subject = `passage ${subjects}.`;
    return { subject, text: [`Subject: ${subject}`, ...lines].join('\r\n'), from: ALICE, to: OUTSIDE };
  }

  /** A session of a user who has logged in. */
  async function session(user = ALICE): Promise<SmtpClient> {
    const client = await stack.rig.submission();
    expect(await client.login(user, PASSWORD)).toMatchObject({ code: 235 });
    return client;
  }

  /** As far as DATA. */
  async function begin(client: SmtpClient, from = ALICE): Promise<void> {
    expect(await client.command(`MAIL FROM:<${from}>`)).toMatchObject({ code: 250 });
    expect(await client.command(`RCPT TO:<${OUTSIDE}>`)).toMatchObject({ code: 250 });
    expect(await client.command('DATA')).toMatchObject({ code: 354 });
  }

  const arrival = async (subject: string): Promise<string> => (await stack.rig.relays[0].arrival(subject)).text;

  /** The subjects of ours that the relay got, once the queue is empty. */
  async function relayed(): Promise<string[]> {
    await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
    return stack.rig.relays[0].messages.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1] ?? '');
  }

  it.each(MESSAGES)('gives the relay %s', async (_, lines, expected = lines) => {
    const { subject, ...message } = aMessage(...lines);
    expect(await stack.submit(ALICE, message)).toMatchObject({ code: 250 });
    const text = (await arrival(subject)).replace(/^Received: .*\r\n(?:[ \t].*\r\n)*/, '');
    expect(text).toBe([`Subject: ${subject}`, ...expected, ''].join('\r\n'));
  });

  it.each([
    ['a header above 256 KiB', Array.from({ length: 6 }, (_, number) => longField(`X-${number}`)).flat()],
    ['more than a hundred orders to the relay', Array.from({ length: 101 }, () => 'X-SES-A: 1')],
  ])('refuses %s', async (_, lines) => {
    const { subject, ...message } = aMessage(OWN, ...lines, '', 'Hello');
    const reply: SmtpReply = { code: 550, text: '5.7.1 The header of the message is too large' };
    expect(await stack.submit(ALICE, message)).toEqual(reply);
    expect(await relayed()).not.toContain(subject);
  });

  it('judges each of many messages in one session by its own header', async () => {
    const client = await session();
    const passed: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      const own = aMessage(OWN, 'X-SES-A: 1', '', 'Hello');
      expect((await client.send(own)).reply).toMatchObject({ code: 250 });
      passed.push(own.subject);
      expect((await client.send(aMessage(`From: ${CAROL}`, '', 'Hello'))).reply).toEqual(FOREIGN);
      await client.command(`MAIL FROM:<${ALICE}>`);
      await client.command('RSET');
      expect((await client.send(aMessage(`Sender: ${ALICE}`, '', 'Hello'))).reply).toMatchObject({ code: 550 });
    }
    await client.quit();
    expect((await relayed()).slice(-passed.length).toSorted()).toEqual(passed.toSorted());
    for (const subject of passed) expect(await arrival(subject)).not.toContain('X-SES-A');
  });

  it('judges each of two sessions by its own login, also when their messages are sent at the same time', async () => {
    const [hers, other] = await Promise.all([session(ALICE), session(CAROL)]);
    const both = async (fromHers: string, fromOther: string): Promise<SmtpReply[]> => {
      await begin(hers, ALICE);
      await begin(other, CAROL);
      const content = (address: string): string => `${aMessage(`From: ${address}`, '', 'Hello').text}\r\n.`;
      return await Promise.all([hers.command(content(fromHers)), other.command(content(fromOther))]);
    };
    expect(await both(ALICE, CAROL)).toMatchObject([{ code: 250 }, { code: 250 }]);
    expect(await both(CAROL, ALICE)).toMatchObject([{ code: 550 }, { code: 550 }]);
    expect(await both(ALICE, ALICE)).toMatchObject([{ code: 250 }, { code: 550 }]);
    await Promise.all([hers.quit(), other.quit()]);
  });

  it('judges what comes in chunks', async () => {
    const client = await session();
    const send = async (...lines: string[]): Promise<SmtpReply> => {
      await client.command(`MAIL FROM:<${ALICE}>`);
      await client.command(`RCPT TO:<${OUTSIDE}>`);
      const { text } = aMessage(...lines);
      const [begin = '', end = ''] = text.split('\r\n <');
      expect(await client.command(`BDAT ${begin.length + 2}\r\n${begin}`)).toMatchObject({ code: 250 });
      return await client.command(`BDAT ${end.length + 4} LAST\r\n <${end}`);
    };
    expect(await send('From: Alice', ` <${CAROL}>`, '', 'Hello')).toEqual(FOREIGN);
    expect(await send('From: Alice', ` <${ALICE}>`, '', 'Hello')).toMatchObject({ code: 250 });
    await client.quit();
  });

  it('goes on when clients disconnect in the middle of their messages, and none of these is sent', async () => {
    const { subject, text } = aMessage(OWN, '', 'Hello');
    const clients = await Promise.all(Array.from({ length: 10 }, async () => await session()));
    await Promise.all(clients.map(async (client) => await begin(client)));
    for (const [index, client] of clients.entries()) {
      client.write(text.slice(0, Math.ceil((text.length * (index + 1)) / clients.length)));
      client.close();
    }
    const next = aMessage(OWN, '', 'Hello');
    expect(await stack.submit(ALICE, next)).toMatchObject({ code: 250 });
    expect(await stack.submit(ALICE, aMessage(`From: ${CAROL}`, '', 'Hello'))).toEqual(FOREIGN);
    await arrival(next.subject);
    expect(await relayed()).not.toContain(subject);
  });

  it('lets nobody send without it: every step is put off, also of open sessions, until it is back', async () => {
    const [idle, begun, interrupted] = await Promise.all([session(), session(), session()]);
    await begin(begun);
    await begin(interrupted);
    await stack.policy.kill();
    const unsent = aMessage(OWN, '', 'Hello');
    const fresh = await SmtpClient.connect(stack.rig.ports.submission);
    expect(await fresh.command('STARTTLS')).toMatchObject({ code: 454, text: expect.stringContaining('4.3.0') });
    fresh.close();
    expect(String((await idle.send(unsent)).reply.code)).toMatch(/^4/);
    expect(String((await begun.command(`${unsent.text}\r\n.`)).code)).toMatch(/^4/);
    await stack.policy.start();
    // The policy daemon answers again, and the milter of this session is gone for good.
    expect(await interrupted.command(`${unsent.text}\r\n.`)).toMatchObject({
      code: 451,
      text: expect.stringContaining('4.7.1'),
    });
    for (const client of [idle, begun, interrupted]) client.close();
    const next = aMessage(OWN, '', 'Hello');
    expect(await stack.submit(ALICE, next)).toMatchObject({ code: 250 });
    await arrival(next.subject);
    expect(await relayed()).not.toContain(unsent.subject);
  });
});

/** The lines of a field of 50 kB. */
function longField(name: string): string[] {
  return [`${name}: long`, ...Array.from({ length: 50 }, () => ` ${'x'.repeat(990)}`)];
}
