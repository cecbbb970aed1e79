import { COMMAND, packetOf } from './milter-protocol.js';
import { from, ListeningMilter } from './testing/listening-milter.js';
import { headerPacket, macroPacket } from './testing/milter-client.js';

describe('the milter, when it counts messages', () => {
  let milter: ListeningMilter;

  beforeEach(async () => {
    milter = await ListeningMilter.start();
  });
  afterEach(() => milter.server.close(0));

  it('passes a whole message to the counter: login, recipients, received size, host, queue id and client', async () => {
    const recipients = ['one@out.test', '"two words"@out.test'];
    const headers = [
      ['From', ' alice@acme.test'],
      ['Subject', 'one\n two'],
      ['X-Empty', ''],
    ] as const;
    const body = 'Hello\r\n'.repeat(20_000);
    const message = { login: 'alice@acme.test', headers, recipients, queueId: '4ABC', clientPort: 4_000, body };
    expect((await milter.outcome(message)).reply).toBeNull();
    expect(milter.counts.messages).toMatchObject([
      {
        login: 'alice@acme.test',
        recipients,
        bytes: Buffer.byteLength(`From: alice@acme.test\r\nSubject:one\r\n two\r\nX-Empty:\r\n\r\n${body}`),
        host: 'mx.acme.test',
        queueId: '4ABC',
        clientAddress: '192.0.2.1',
        clientPort: '4000',
      },
    ]);
  });

  it('passes the sender addresses to the counter, each once and in lower case; none without a login', async () => {
    const headers = [
      ['From', 'Alice@acme.test, Info <info@acme.test>'],
      ['Sender', 'alice@ACME.test'],
    ] as const;
    expect((await milter.outcome({ login: 'alice@acme.test', headers })).reply).toBeNull();
    expect((await milter.outcome({ login: null, headers })).reply).toBeNull();
    expect(milter.counts.messages.map(({ claims }) => claims)).toEqual([['alice@acme.test', 'info@acme.test'], []]);
  });

  it('does not count an aborted message, and does not add its recipients to the next message', async () => {
    const client = await milter.open();
    const begun = Buffer.concat([
      macroPacket(COMMAND.mail, ['{auth_authen}', 'alice@acme.test']),
      packetOf(COMMAND.mail, Buffer.from('<alice@acme.test>\0')),
      packetOf(COMMAND.rcpt, Buffer.from('<left@out.test>\0')),
      headerPacket('From', 'alice@acme.test'),
      packetOf(COMMAND.body, Buffer.from('half')),
    ]);
    client.write(Buffer.concat([begun, packetOf(COMMAND.abort)]));
    expect((await client.send({ ...from('alice@acme.test'), recipients: ['x@out.test'] })).reply).toBeNull();
    client.write(begun);
    client.close();
    expect((await milter.outcome({ ...from('alice@acme.test'), recipients: ['y@out.test'] })).reply).toBeNull();
    expect(milter.counts.messages.map(({ recipients }) => recipients)).toEqual([['x@out.test'], ['y@out.test']]);
  });

  it.each([
    ['450 4.7.1 later', 'deferred'],
    ['550 5.7.1 never', 'refused'],
  ])('replies with the counter’s %s', async (reply, verdict) => {
    milter.counts.reply = reply;
    expect(await milter.reply([['From', 'alice@acme.test']])).toBe(reply);
    expect((await milter.outcome({ login: null, headers: [] })).reply).toBe(reply);
    expect(milter.observed.messages.map((message) => message.verdict)).toEqual([verdict, verdict]);
  });

  it('uses the recipient as parsed by the mail server, or as written when the mail server does not send it', async () => {
    const client = await milter.open();
    client.write(
      Buffer.concat([
        macroPacket(COMMAND.mail, ['{auth_authen}', 'alice@acme.test']),
        packetOf(COMMAND.mail, Buffer.from('<alice@acme.test>\0')),
        macroPacket(COMMAND.rcpt, ['{rcpt_addr}', 'team@acme.test']),
        packetOf(COMMAND.rcpt, Buffer.from('<@relay.test:"team"@acme.test>\0NOTIFY=NEVER\0')),
        packetOf(COMMAND.rcpt, Buffer.from('<plain@out.test>\0NOTIFY=NEVER\0')),
        headerPacket('From', 'alice@acme.test'),
        packetOf(COMMAND.endOfMessage),
      ]),
    );
    await client.outcome();
    expect(milter.counts.messages[0]?.recipients).toEqual(['team@acme.test', 'plain@out.test']);
    client.close();
  });
});
