import { COMMAND, packetOf } from './milter-protocol.js';
import { ListeningMilter } from './testing/listening-milter.js';
import { type ClientMessage, headerPacket, macroPacket } from './testing/milter-client.js';

const LOGIN = 'alice@acme.test';
const FROM = ['From', LOGIN] as const;
const TYPE = ['Content-Type', 'multipart/report; report-type=disposition-notification; boundary="b"'] as const;
const AUTO_SUBMITTED = 'Auto-Submitted: auto-replied';
const NO_RECEIPT =
  '550 5.7.1 A message without an envelope sender must be a read receipt (RFC 8098) with one recipient';

describe('the milter, about a message of a login without an envelope sender', () => {
  let milter: ListeningMilter;

  beforeEach(async () => {
    milter = await ListeningMilter.start();
  });
  afterEach(() => milter.server.close(0));

  const outcome = (message: Partial<ClientMessage>) =>
    milter.outcome({ login: LOGIN, sender: '', headers: [FROM, TYPE], ...message });

  it('gives a read receipt that leaves the login as its sender, and leaves one that stays without', async () => {
    milter.counts.added = [{ name: 'X-SES-MESSAGE-TAGS', value: 'mailstead=mx-4XyZ' }];
    const added = [AUTO_SUBMITTED, 'X-SES-MESSAGE-TAGS: mailstead=mx-4XyZ'];
    expect(await outcome({})).toEqual({ reply: null, removed: [], added, sender: `<${LOGIN}>` });
    milter.counts.leaves = false;
    expect(await outcome({})).toEqual({ reply: null, removed: [], added });
    expect(milter.counts.messages.map(({ receipt }) => receipt)).toEqual([true, true]);
  });

  it('leaves the sender of a receipt that has one, and marks it as one', async () => {
    expect(await outcome({ sender: 'info@acme.test' })).toEqual({ reply: null, removed: [], added: [AUTO_SUBMITTED] });
    expect(milter.counts.messages).toMatchObject([{ receipt: true }]);
  });

  it('adds Auto-Submitted only to a receipt without it', async () => {
    const marked = [FROM, TYPE, ['auto-submitted', 'auto-generated']] as const;
    expect((await outcome({ headers: marked })).added).toEqual([]);
    expect((await outcome({ sender: LOGIN, headers: [FROM] })).added).toEqual([]);
  });

  it.each<[string, Partial<ClientMessage>]>([
    ['no Content-Type', { headers: [FROM] }],
    ['another one', { headers: [FROM, ['Content-Type', 'text/plain']] }],
    ['two of them', { headers: [FROM, TYPE, TYPE] }],
    ['two recipients', { recipients: ['a@out.test', 'b@out.test'] }],
    ['it in another field', { headers: [FROM, ['X-Content-Type', TYPE[1]]] }],
  ])('refuses one with %s, and counts nothing', async (_, message) => {
    expect(await outcome(message)).toEqual({ reply: NO_RECEIPT, removed: [], added: [] });
    expect(milter.counts.claims).toEqual([]);
  });

  it('refuses one with a false sender or a header of more than 256 KiB by the rules for all messages', async () => {
    expect((await outcome({ headers: [['From', 'bob@acme.test'], TYPE] })).reply).toContain('You may not send as');
    const filled = Array.from({ length: 300 }, () => ['X-Fill', 'x'.repeat(900)] as const);
    expect((await outcome({ headers: [FROM, TYPE, ...filled] })).reply).toContain('too large');
    expect(milter.counts.messages).toEqual([]);
  });

  it('with two recipients and a sender counts as every message', async () => {
    const recipients = ['a@out.test', 'b@out.test'];
    expect(await outcome({ sender: LOGIN, recipients })).toEqual({ reply: null, removed: [], added: [] });
    expect(milter.counts.messages).toMatchObject([{ receipt: false }]);
  });

  it('counts a recipient that was named twice as one, and forgets the message before it', async () => {
    const client = await milter.open();
    const recipients = ['a@out.test', 'A@out.test'];
    expect((await client.send({ login: LOGIN, sender: LOGIN, headers: [FROM, TYPE], recipients })).reply).toBeNull();
    expect((await client.send({ login: LOGIN, sender: '', headers: [FROM] })).reply).toBe(NO_RECEIPT);
    expect((await client.send({ login: LOGIN, sender: '', headers: [FROM, TYPE], recipients })).reply).toBeNull();
    client.close();
  });

  it('reads the sender as the mail server parsed it, or as written when the mail server does not send it', async () => {
    const client = await milter.open();
    const reply = async (written: string, parsed?: string) => {
      client.write(
        Buffer.concat([
          macroPacket(COMMAND.mail, ['{auth_authen}', LOGIN, ...(parsed === undefined ? [] : ['{mail_addr}', parsed])]),
          packetOf(COMMAND.mail, Buffer.from(`${written}\0SIZE=9\0`)),
          packetOf(COMMAND.rcpt, Buffer.from('<x@out.test>\0')),
          headerPacket(...FROM),
          packetOf(COMMAND.endOfMessage),
        ]),
      );
      return (await client.outcome()).reply;
    };
    for (const written of ['<>', '']) expect(await reply(written)).toBe(NO_RECEIPT);
    expect(await reply('<@relay.test:>', '')).toBe(NO_RECEIPT);
    expect(await reply('<>', LOGIN)).toBeNull();
    expect(await reply(`<${LOGIN}>`)).toBeNull();
    client.close();
  });

  it('without a login is mail from outside, which is not looked at', async () => {
    expect(await outcome({ login: null, headers: [TYPE] })).toEqual({ reply: null, removed: [], added: [] });
    expect(milter.counts.messages).toMatchObject([{ receipt: false }]);
  });
});
