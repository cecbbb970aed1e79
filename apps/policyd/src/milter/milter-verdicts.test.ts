import { COMMAND, packetOf } from './milter-protocol.js';
import { from, ListeningMilter } from './testing/listening-milter.js';
import {
  bytesOf,
  type ClientMessage,
  headerPacket,
  MilterClient,
  macroPacket,
  words,
} from './testing/milter-client.js';

const MISSING = '550 5.7.1 The message has no From field';

describe('the milter', () => {
  let milter: ListeningMilter;

  beforeEach(async () => {
    milter = await ListeningMilter.start();
  });
  afterEach(() => milter.server.close(0));

  it('lets a login use its own addresses', async () => {
    expect(await milter.outcome(from('Alice <alice@acme.test>'))).toEqual({ reply: null, removed: [], added: [] });
    expect(await milter.outcome(from('Info <INFO@acme.test>'))).toEqual({ reply: null, removed: [], added: [] });
  });

  it('shows the refused address in its reply, with any characters in it', async () => {
    for (const address of ['100%@beta.test', '%s%n@beta.test', "o'neil&co@beta.test"]) {
      expect(await milter.reply([['From', address]])).toBe(`550 5.7.1 You may not send as <${address}>`);
    }
  });

  it.each(['From', 'fRoM', 'From ', 'FROM\t'])('refuses another’s address in "%s"', async (name) => {
    expect(await milter.reply([[name, ' Carol <carol@beta.test>']])).toBe(
      '550 5.7.1 You may not send as <carol@beta.test>',
    );
  });

  it.each(['Sender', 'Resent-From', 'resent-sender'])(
    'refuses another’s address in %s with an allowed From',
    async (name) => {
      const good = ['From', 'alice@acme.test'] as const;
      expect(await milter.reply([good, [name, 'carol@beta.test']])).toBe(
        '550 5.7.1 You may not send as <carol@beta.test>',
      );
      expect(await milter.reply([good, [name, 'alice@acme.test']])).toBeNull();
      expect(await milter.reply([good, [name, 'alice']])).toMatch(
        /^550 5\.7\.1 The \S+ field can be read in more than one way/,
      );
    },
  );

  it('checks every address of every field, together with the count', async () => {
    const own = ['From', 'alice@acme.test, Info <info@acme.test>'] as const;
    expect(await milter.reply([own, ['Sender', 'alice@acme.test'], ['Resent-From', 'info@acme.test']])).toBeNull();
    expect(milter.counts.claims).toEqual([2]);
    expect(await milter.reply([['From', 'alice@acme.test, carol@beta.test']])).toContain('carol@beta.test');
    expect(await milter.reply([own, ['Resent-From', 'alice@acme.test'], ['Resent-From', 'carol@beta.test']])).toContain(
      'carol@beta.test',
    );
  });

  it.each<[string, ClientMessage['headers'], string]>([
    ['no From', [['To', 'x@y.test']], MISSING],
    [
      'two Froms',
      [
        ['From', 'alice@acme.test'],
        ['from ', 'alice@acme.test'],
      ],
      '550 5.7.1 The message has more than one From field',
    ],
    [
      'two Senders',
      [
        ['From', 'alice@acme.test'],
        ['Sender', 'alice@acme.test'],
        ['Sender', 'alice@acme.test'],
      ],
      '550 5.7.1 The message has more than one Sender field',
    ],
    [
      'two addresses in Sender',
      [
        ['From', 'alice@acme.test'],
        ['Sender', 'alice@acme.test, info@acme.test'],
      ],
      '550 5.7.1 The Sender field has more than one address',
    ],
    [
      'an empty group',
      [['From', 'undisclosed:;']],
      '550 5.7.1 The From field has a group; it must name addresses only',
    ],
    [
      'a header above 256 KiB',
      [['From', 'alice@acme.test'], ...Array.from({ length: 3 }, () => ['X-Long', 'x'.repeat(100_000)] as const)],
      '550 5.7.1 The header of the message is too large',
    ],
    [
      'a field whose name a mail server would fold',
      [
        ['X'.repeat(998), 'x'],
        ['From', 'alice@acme.test'],
      ],
      '550 5.7.1 The header has a field whose name is too long',
    ],
    [
      'senders without end',
      [['From', 'alice@acme.test'], ...Array.from({ length: 300 }, () => ['Resent-From', 'alice@acme.test'] as const)],
      '550 5.7.1 The message claims too many senders',
    ],
    [
      'lines of an mbox file without end',
      [['From', 'alice@acme.test'], ...Array.from({ length: 101 }, () => ['X-Mailbox-Line', 'From x'] as const)],
      '550 5.7.1 The header of the message is too large',
    ],
    [
      'orders to the relay without end',
      [['From', 'alice@acme.test'], ...Array.from({ length: 101 }, () => ['X-SES-A', 'x'] as const)],
      '550 5.7.1 The header of the message is too large',
    ],
  ])('refuses a message with %s', async (_, headers, text) => {
    expect(await milter.reply(headers)).toBe(text);
    expect(milter.counts.claims).toEqual([]);
  });

  it('accepts a field whose name and colon fill a line', async () => {
    expect(
      await milter.reply([
        ['X'.repeat(997), 'x'],
        ['From', 'alice@acme.test'],
      ]),
    ).toBeNull();
  });

  it('removes all X-SES fields in upper and lower case, last first, and no other field', async () => {
    const headers = [
      ['X-SES-Configuration-Set', 'a'],
      ['From', 'alice@acme.test'],
      ['x-ses-source-arn ', 'b'],
      ['X-SES-CONFIGURATION-SET', 'c'],
      ['X-SESAME', 'd'],
      ['X-Ses-', 'e'],
    ] as const;
    expect(await milter.outcome({ login: 'alice@acme.test', headers })).toEqual({
      reply: null,
      removed: ['X-Ses-#1', 'X-SES-CONFIGURATION-SET#2', 'x-ses-source-arn#1', 'X-SES-Configuration-Set#1'],
      added: [],
    });
  });

  it.each(['X-Mailbox-Line', 'x-mailbox-line ', 'X-MAILBOX-LINE\t'])(
    'removes every "%s", which Postfix makes of a line `From …` before the header',
    async (name) => {
      const headers = [
        [name, 'From carol@beta.test Sat Nov 28 10:00:00 2026'],
        [name, '>From carol@beta.test Sat Nov 28 10:00:00 2026'],
        ['X-SES-A', 'a'],
        ['From', 'alice@acme.test'],
        ['X-Mailbox-Lines', 'another field'],
        ['X-Mailbox', 'another field'],
      ] as const;
      expect(await milter.outcome({ login: 'alice@acme.test', headers })).toEqual({
        reply: null,
        removed: ['X-SES-A#1', `${name.trimEnd()}#2`, `${name.trimEnd()}#1`],
        added: [],
      });
      expect((await milter.outcome({ login: null, headers })).removed).toEqual([]);
    },
  );

  it('adds the fields of a message that passes, after it removed those of the sender, with one space after the colon', async () => {
    milter.counts.added = [{ name: 'X-SES-MESSAGE-TAGS', value: 'mailstead=mx-4XyZ' }];
    const forged: ClientMessage['headers'] = [
      ['From', 'alice@acme.test'],
      ['X-SES-MESSAGE-TAGS', 'mailstead=other'],
    ];
    for (const steps of [0, 0x1f_ffff]) {
      const client = await MilterClient.connect({ port: milter.port });
      await client.offer(words(6, 0x1ff, steps));
      client.write(bytesOf({ login: 'alice@acme.test', headers: forged }));
      if (steps === 0) for (let step = 0; step < 4; step += 1) await client.next();
      expect(await client.outcome()).toEqual({
        reply: null,
        removed: ['X-SES-MESSAGE-TAGS#1'],
        added: ['X-SES-MESSAGE-TAGS: mailstead=mx-4XyZ'],
      });
      client.close();
    }
    milter.counts.reply = '450 4.7.1 Later';
    expect(await milter.outcome(from('alice@acme.test'))).toEqual({ reply: '450 4.7.1 Later', removed: [], added: [] });
  });

  it('checks and removes no field of a message without a login', async () => {
    expect(await milter.outcome({ login: null, headers: [['From', 'carol@beta.test']] })).toEqual({
      reply: null,
      removed: [],
      added: [],
    });
    expect(milter.counts.claims).toEqual([0]);
    expect(milter.observed.messages).toEqual([
      { verdict: 'unauthenticated', login: '', queueId: '4XyZ', reason: null },
    ]);
  });

  it('checks each message of a connection by its own login and headers', async () => {
    const client = await milter.open();
    expect((await client.send(from('alice@acme.test'))).reply).toBeNull();
    expect((await client.send({ ...from('alice@acme.test'), login: 'carol@beta.test' })).reply).toContain('550');
    expect((await client.send(from())).reply).toBe(MISSING);
    client.write(
      Buffer.concat([
        macroPacket(COMMAND.mail, ['{auth_authen}', 'alice@acme.test']),
        packetOf(COMMAND.mail, Buffer.from('<>\0')),
        headerPacket('From', 'alice@acme.test'),
        packetOf(COMMAND.abort),
      ]),
    );
    expect((await client.send(from())).reply).toBe(MISSING);
    client.write(packetOf(COMMAND.quitForNewConnection));
    expect((await client.send({ ...from('carol@beta.test'), login: null })).reply).toBeNull();
    expect((await client.send(from('alice@acme.test'))).reply).toBeNull();
    client.write(packetOf(COMMAND.quit));
    expect(await client.next()).toBeNull();
    expect(milter.observed.cuts).toEqual([]);
  });
});
