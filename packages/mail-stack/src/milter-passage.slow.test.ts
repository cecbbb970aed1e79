import { withoutAddedFields } from './testing/added-fields.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { PASSWORD } from './testing/platform.js';
import { SmtpClient, type SmtpReply } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const CAROL = 'carol@beta.test';
const OWN = `From: <${ALICE}>`;
const FOREIGN = { code: 550, text: `5.7.1 You may not send as <${CAROL}> [sender_not_allowed]` };

/** A description, the sent lines, and the lines that the relay receives when they differ. */
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
    'all fields of the body’s parts, including X-SES and sender fields',
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
    'no X-SES field in any spelling, and all other fields',
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
    'a message without its hundred X-SES fields',
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
    'a field only up to a NUL, so that nothing is hidden after it',
    [OWN, 'X-A: 1\0\r', 'X-SES-A: 1\0', 'X-SES-B\0: 1', `Sender: ${CAROL}`, '', 'Hello'],
    [OWN, 'X-A: 1', '', 'X-SES-B\0: 1', `Sender: ${CAROL}`, '', 'Hello'],
  ],
  [
    'a space instead of a bare CR, so that no field begins after it',
    [OWN, `X-A: 1\rSender: ${CAROL}`, 'X-B: 2\r\rX-SES-A: 1\r', 'X-C: 3', '', 'Hello'],
    [OWN, `X-A: 1 Sender: ${CAROL}`, 'X-B: 2  X-SES-A: 1 ', 'X-C: 3', '', 'Hello'],
  ],
  [
    'a line that is not a field as the first line of the body',
    [OWN, 'no field', `Sender: ${CAROL}`, 'X-SES-A: 1', '', 'Hello'],
    [OWN, '', 'no field', `Sender: ${CAROL}`, 'X-SES-A: 1', '', 'Hello'],
  ],
  [
    'a name that is not ASCII as the first line of the body',
    [OWN, 'X-SES-\xe9: 1', `Sender\v: ${CAROL}`, '', 'Hello'],
    [OWN, '', 'X-SES-\xe9: 1', `Sender\v: ${CAROL}`, '', 'Hello'],
  ],
];

describeStack('the milter behind the real Postfix: messages and sessions', () => {
  let stack: WholeStack<MailsteadProcess>;
  let subjects = 0;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
    await stack.platform.master.put('/domains/acme.test/outbound', { outbound_tier: 'unlimited' });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** Returns a message with a unique subject as its first line. */
  function aMessage(...lines: string[]): { subject: string; text: string; from: string; to: string } {
    subjects += 1;
    const subject = `passage ${subjects}.`;
    return { subject, text: [`Subject: ${subject}`, ...lines].join('\r\n'), from: ALICE, to: OUTSIDE };
  }

  /** Opens a session and logs in. */
  async function session(user = ALICE): Promise<SmtpClient> {
    const client = await stack.rig.submission();
    expect(await client.login(user, PASSWORD)).toMatchObject({ code: 235 });
    return client;
  }

  /** Sends the commands up to DATA. */
  async function begin(client: SmtpClient, from = ALICE): Promise<void> {
    expect(await client.command(`MAIL FROM:<${from}>`)).toMatchObject({ code: 250 });
    expect(await client.command(`RCPT TO:<${OUTSIDE}>`)).toMatchObject({ code: 250 });
    expect(await client.command('DATA')).toMatchObject({ code: 354 });
  }

  const arrival = async (subject: string): Promise<string> =>
    withoutAddedFields((await stack.rig.relays[0].arrival(subject)).text);

  /** Waits until the queue is empty, and returns the subjects of these tests that the relay received. */
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

  it('checks each of many messages in one session by its own header', async () => {
    const client = await session();
    const passed: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      const own = aMessage(OWN, 'X-SES-A: 1', '', 'Hello');
      expect((await client.send(own)).reply).toMatchObject({ code: 250 });
      passed.push(own.subject);
      expect((await client.send(aMessage(`From: ${CAROL}`, '', 'Hello'))).reply).toEqual(FOREIGN);
      await client.command(`MAIL FROM:<${ALICE}>`);
      await client.command('RSET');
      expect((await client.send(aMessage(`Sender: ${CAROL}`, '', 'Hello'))).reply).toMatchObject({ code: 550 });
    }
    await client.quit();
    expect((await relayed()).slice(-passed.length).toSorted()).toEqual(passed.toSorted());
    for (const subject of passed) expect(await arrival(subject)).not.toContain('X-SES-A');
  });

  it('checks each of two sessions by its own login, also when their messages are sent at the same time', async () => {
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

  it('checks a message that is sent in chunks', async () => {
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

  it('continues when clients disconnect during their messages, and sends none of these messages', async () => {
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

  it('defers every command while it is unavailable, also in open sessions', async () => {
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
    // The policy daemon is available again, but this session does not connect to the milter again.
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

/** Returns the lines of a field of 50 kB. */
function longField(name: string): string[] {
  return [`${name}: long`, ...Array.from({ length: 50 }, () => ` ${'x'.repeat(990)}`)];
}
