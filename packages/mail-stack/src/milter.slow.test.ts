import { withoutAddedFields } from './testing/added-fields.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import type { SmtpReply } from './testing/smtp-client.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';
const BOB = 'bob@acme.test';
const CAROL = 'carol@beta.test';
/** An address of Alice. Its domain belongs to her partner and begins with another partner's domain name. */
const LOOKALIKE = 'carol@beta.test.acme.test';
const OWN = `From: <${ALICE}>`;

const UNCLEAR =
  'The From field can be read in more than one way; write name@example.com, with the name before it in double quotes';
const mayNot = (address: string): string => `You may not send as <${address}> [sender_not_allowed]`;
const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Headers that alice may send: a description and the header's lines. */
const HERS: [string, ...string[]][] = [
  ['her address', `From: ${ALICE}`],
  ['her address in capitals', 'From: <ALICE@ACME.TEST>'],
  ['her address with a tag', 'From: <alice+news@acme.test>'],
  ['her alias', 'From: <info@acme.test>'],
  ['a name before her address', `From: Alice Liddell <${ALICE}>`],
  ['a quoted name', `From: "Liddell, Alice (Sales)" <${ALICE}>`],
  ['a name in UTF-8', bytes(`From: "Älice" <${ALICE}>`)],
  ['an encoded name', `From: ${word('Älice, Sales')} <${ALICE}>`],
  ['a name in two encoded words', `From: ${word('Äl')}`, ` ${word('ice')} <${ALICE}>`],
  ['another’s address as a quoted name', `From: "${CAROL}" <${ALICE}>`],
  ['a comment after her address', `From: ${ALICE} (at work)`],
  ['a folded field', 'From: "Alice', '\tLiddell"', ` <${ALICE}>`],
  ['a field that is folded before its first word', 'From:', ` ${ALICE}`],
  ['a continuation line of spaces', OWN, '   ', 'X-Next: 1'],
  ['two addresses of hers', `From: ${ALICE}, <info@acme.test>`, `Sender: ${ALICE}`],
  [
    'a Sender, Resent-From and Resent-Sender of hers',
    OWN,
    `Sender: ${ALICE}`,
    `Resent-From: ${ALICE}`,
    `Resent-Sender: ${ALICE}`,
  ],
  ['a field name in mixed case', `fRoM: ${ALICE}`],
  ['another’s address in Reply-To and Cc', OWN, `Reply-To: ${CAROL}`, `Cc: ${CAROL}`],
];

/** Refused headers: a description, the reply, and the header's lines. */
const NOT_HERS: [string, string, ...string[]][] = [
  ['another partner’s address', mayNot(CAROL), `From: Alice <${CAROL}>`],
  ['a colleague’s address', mayNot(BOB), `From: ${BOB}`],
  ['an address that does not exist', mayNot('nobody@elsewhere.test'), 'From: nobody@elsewhere.test'],
  ['a catch-all’s address that is not hers', mayNot('any@acme.test'), 'From: any@acme.test'],
  ['another’s address in a folded field', mayNot(CAROL), 'From: Alice', '\t', ` <${CAROL}>`],
  ['another’s address after an encoded name of hers', mayNot(CAROL), `From: ${word(ALICE)} <${CAROL}>`],
  ['another’s address after hers', mayNot(CAROL), `From: ${ALICE}, ${CAROL}`],
  ['another’s address before hers, folded', mayNot(CAROL), `From: ${CAROL},`, ` ${ALICE}`],
  ['another’s address in Sender', mayNot(CAROL), OWN, `Sender: ${CAROL}`],
  ['another’s address in Resent-From', mayNot(CAROL), OWN, `Resent-From: ${CAROL}`],
  ['another’s address in the second Resent-From', mayNot(CAROL), OWN, `Resent-From: ${ALICE}`, `Resent-From: ${CAROL}`],
  ['another’s address in Resent-Sender', mayNot(CAROL), OWN, `Resent-Sender: ${CAROL}`],
  ['another’s address in a field name of mixed case', mayNot(CAROL), `fROM: ${CAROL}`],
  ['another’s address in a field name with a space before the colon', mayNot(CAROL), `From : ${CAROL}`],
  ['another’s address in a field name with tabs before the colon', mayNot(CAROL), OWN, `SENDER\t \t: ${CAROL}`],
  ['two From fields', 'The message has more than one From field', OWN, 'X-Between: 1', `from : ${ALICE}`],
  ['two Sender fields', 'The message has more than one Sender field', OWN, `Sender: ${ALICE}`, `Sender: ${ALICE}`],
  ['an empty From', 'The From field is empty', 'From:'],
  ['a From of white space', 'The From field is empty', 'From: ', ' \t'],
  ['a group', 'The From field has a group; it must name addresses only', `From: team: ${ALICE};`],
  ['an empty group', 'The From field has a group; it must name addresses only', 'From: undisclosed-recipients:;'],
  ['a null address', UNCLEAR, 'From: <>'],
  ['a quoted local part', UNCLEAR, 'From: "alice"@acme.test'],
  ['another’s address in a quoted local part', UNCLEAR, `From: "${CAROL}"@acme.test`],
  ['another’s address as a name without quotes', UNCLEAR, `From: ${CAROL} <${ALICE}>`],
  ['another’s address in brackets in the name', UNCLEAR, `From: "<${CAROL}>" <${ALICE}>`],
  ['another’s address in an encoded name', UNCLEAR, `From: ${word(`<${CAROL}>,`)} <${ALICE}>`],
  ['another’s address in a comment', UNCLEAR, `From: (${CAROL}) ${ALICE}`],
  ['another’s address in a comment with a comma', UNCLEAR, `From: ${ALICE} (, ${CAROL})`],
  ['a source route', UNCLEAR, `From: <@beta.test:${ALICE}>`],
  ['a percent route', mayNot('carol%beta.test@acme.test'), 'From: carol%beta.test@acme.test'],
  ['a percent route without a domain', UNCLEAR, 'From: carol%beta.test'],
  ['a bang path', UNCLEAR, 'From: beta.test!carol'],
  ['an address without a domain', UNCLEAR, 'From: alice'],
  ['an address in UTF-8', UNCLEAR, bytes('From: älice@acme.test')],
  ['a full-width at sign', UNCLEAR, bytes('From: alice＠acme.test')],
  [
    'Latin-1',
    'The From field has characters that are neither ASCII nor UTF-8, or control characters',
    `From: \xc4lice <${ALICE}>`,
  ],
  ['text after the address', UNCLEAR, `From: <${ALICE}> garbage`],
  ['another address after the address', UNCLEAR, `From: <${ALICE}> <${CAROL}>`],
  ['a bare CR and a second field', UNCLEAR, `From: ${ALICE}\rSender: ${CAROL}`],
  ['a From of 3 kB', 'The From field is too long', `From: ${'"a"\r\n '.repeat(600)}<${ALICE}>`],
];

describeStack('the milter’s check of sender addresses behind the real Postfix', () => {
  let stack: WholeStack<MailsteadProcess>;
  let subjects = 0;
  /** The header lines of alice's accepted messages, by subject. */
  const hers = new Map<string, string[]>();
  /** The subjects of the refused messages. */
  const refused: string[] = [];

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
    await stack.platform.master.put('/domains/acme.test/outbound', { outbound_tier: 'unlimited' });
    await addAlias(stack.acme, 'info@acme.test', ALICE);
    await addDomain(stack.acme, 'beta.test.acme.test');
    await addMailboxes(stack.acme, LOOKALIKE);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  async function submit(user: string, fields: string[], localAddress?: string): Promise<[SmtpReply, subject: string]> {
    subjects += 1;
    const subject = `message ${subjects}.`;
    const text = [`Subject: ${subject}`, ...fields, '', 'Hello'].join('\r\n');
    const reply = await stack.submit(user, { from: user, to: OUTSIDE, text }, localAddress);
    if (reply.code !== 250) refused.push(subject);
    return [reply, subject];
  }

  /** Returns the message that the relay received. */
  async function passed(user: string, fields: string[], localAddress?: string): Promise<string> {
    const [reply, subject] = await submit(user, fields, localAddress);
    expect(reply).toMatchObject({ code: 250 });
    return withoutAddedFields((await stack.rig.relays[0].arrival(subject)).text);
  }

  it.each(HERS)('lets alice send %s', async (_, ...fields) => {
    const [reply, subject] = await submit(ALICE, fields);
    expect(reply).toMatchObject({ code: 250 });
    hers.set(subject, fields);
  });

  it('sends all of these to the relay unchanged', async () => {
    for (const [subject, fields] of hers) {
      const { text } = await stack.rig.relays[0].arrival(subject);
      expect(withoutAddedFields(text)).toContain(`Subject: ${subject}\r\n${fields.join('\r\n')}\r\n\r\nHello\r\n`);
    }
  });

  it.each(NOT_HERS)('refuses %s', async (_, reason, ...fields) => {
    expect((await submit(ALICE, fields))[0]).toEqual({ code: 550, text: `5.7.1 ${reason}` });
  });

  it.each([
    ['no From', 'X-From: none'],
    ['a NUL in the name of From', `Fro\0m: ${CAROL}`],
  ])('sends a message with %s with the address of its sender', async (_, field) => {
    const text = await passed(ALICE, [field]);
    expect(text.match(/^From:.*$/gm)).toEqual([`From: ${ALICE}`]);
  });

  it('sends a field with a space before the colon to the relay in its usual form', async () => {
    expect(await passed(ALICE, [`FROM \t: ${ALICE}`])).toContain(`.\r\nFROM: ${ALICE}\r\n`);
  });

  it('refuses a line that Postfix would fold when it sends it, for example inside the address', async () => {
    const rest = `" <${LOOKALIKE}>`;
    const lineOf = (length: number): string => 'From: "'.padEnd(length - rest.length, 'a') + rest;
    expect(await passed(LOOKALIKE, [lineOf(989)])).toContain(`.\r\n${lineOf(989)}\r\n`);
    // The relay would get a line of 998 bytes that ends in carol@beta.test, and the rest on the next line.
    for (const length of [990, 998 + '.acme.test>'.length]) {
      const [reply] = await submit(LOOKALIKE, [lineOf(length)]);
      expect(reply).toEqual({ code: 550, text: '5.7.1 The From field has a line that is too long' });
    }
  });

  it('cuts a field at a NUL before it checks the field', async () => {
    const text = await passed(ALICE, [`From: ${ALICE}\0, ${CAROL}`]);
    expect(text).toContain(`.\r\nFrom: ${ALICE}\r\n\r\nHello`);
    expect((await submit(ALICE, [`From: ${CAROL}\0, ${ALICE}`]))[0]).toMatchObject({ code: 550 });
  });

  it('lets carol use her own address and not that of alice', async () => {
    expect(await passed(CAROL, [`From: ${CAROL}`])).toContain(CAROL);
    expect((await submit(CAROL, [OWN]))[0]).toEqual({ code: 550, text: `5.7.1 ${mayNot(ALICE)}` });
  });

  it('lets the owner of the catch-all use every unused address while the catch-all exists', async () => {
    const any = ['From: any@acme.test'];
    expect((await submit(BOB, any))[0]).toMatchObject({ code: 550 });
    await addAlias(stack.acme, '@acme.test', BOB);
    expect(await passed(BOB, any)).toContain('any@acme.test');
    for (const address of [ALICE, 'info@acme.test', 'any@beta.test']) {
      expect((await submit(BOB, [`From: ${address}`]))[0]).toEqual({ code: 550, text: `5.7.1 ${mayNot(address)}` });
    }
    expect((await submit(ALICE, any))[0]).toMatchObject({ code: 550 });
    await stack.acme.delete('/aliases/@acme.test');
    expect((await submit(BOB, any))[0]).toMatchObject({ code: 550 });
  });

  it('checks the outgoing header when Postfix completes and rewrites it, for a client on the same host', async () => {
    const here = '127.0.0.1';
    expect(await passed(ALICE, ['X-From: none'], here)).toContain(`\r\nFrom: ${ALICE}\r\n`);
    expect(await passed(ALICE, [`From: <@beta.test:${ALICE}>`], here)).toContain(`\r\nFrom: <${ALICE}>\r\n`);
    // Postfix does not rewrite percent and bang paths: they are local parts of this host.
    for (const [address, seen] of [
      ['carol%beta.test', 'carol%beta.test@mx.rig.test'],
      ['beta.test!carol', 'beta.test!carol@mx.rig.test'],
      [`<@acme.test:${CAROL}>`, CAROL],
      [CAROL, CAROL],
    ] as const) {
      expect((await submit(ALICE, [`From: ${address}`], here))[0]).toEqual({
        code: 550,
        text: `5.7.1 ${mayNot(seen)}`,
      });
    }
  });

  it('defers all messages from a suspended domain', async () => {
    await addDomain(stack.acme, 'susp.test');
    await addMailboxes(stack.acme, 'sue@susp.test');
    expect(await passed('sue@susp.test', ['From: sue@susp.test'])).toContain('sue@susp.test');
    await stack.acme.put('/domains/susp.test/suspend');
    for (const address of ['sue@susp.test', ALICE]) {
      expect((await submit('sue@susp.test', [`From: ${address}`]))[0]).toMatchObject({ code: 450 });
    }
  });

  it('has sent none of the refused messages', async () => {
    await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
    const arrived = stack.rig.relays[0].messages.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1]);
    expect(arrived.filter((subject) => refused.includes(subject ?? ''))).toEqual([]);
    expect(arrived).toHaveLength(subjects - refused.length);
  });
});
