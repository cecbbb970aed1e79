import { expectLinearCost, expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { OpenSessions } from '../open-sessions.js';
import { COMMAND, packetOf } from './milter-protocol.js';
import { MilterSession } from './milter-session.js';
import { PacketReader } from './read-packets.js';
import { KeptCounts } from './testing/kept-counts.js';
import { KeptObservations } from './testing/kept-observations.js';
import { bytesOf, macroPacket, words } from './testing/milter-client.js';

/** A little more than the milter reads of a header. */
const LONGEST = 270_000;
/** The most characters of a field that are parsed. */
const LONGEST_PARSED = 2_000;
const LOGIN = 'alice@acme.test';
const FROM: [string, string] = ['From', LOGIN];
const PIECES = [
  'alice@acme.test',
  '<alice@acme.test>',
  '"a" <a@b.test>, ',
  '=?utf-8?q?a?=',
  '=?utf-8?b?YQ==?= ',
  '\r\n ',
  '\\"',
  '(a)',
  'a:;',
  '@b,',
];
const NAMES = ['From', 'Sender', 'Resent-From', 'X-SES-a', 'X-Mailbox-Line', 'Subject'];

describe('a message that a milter reads', () => {
  const reader = new PacketReader(1_048_576);

  /** Negotiates and handles all packets of a connection. */
  async function handle(chunks: readonly Buffer[]): Promise<void> {
    const session = new MilterSession(new KeptCounts({}), new KeptObservations(), new OpenSessions());
    await session.handle({ letter: COMMAND.negotiate, data: words(6, 0x1ff, 0x1f_ffff) });
    try {
      for (const chunk of chunks) for (const packet of reader.read(chunk)) await session.handle(packet);
    } catch {
      // The connection is closed.
    }
  }
  const messageOf = (headers: [string, string][], recipients?: string[]) => [
    bytesOf({ login: LOGIN, headers, ...(recipients === undefined ? {} : { recipients }) }),
  ];
  const withoutNul = (text: string) => text.replaceAll('\0', ' ');

  it.each(NAMES)('takes at most 2.5 times as long when its field %s is twice as long', async (name) => {
    const field = (text: string): [string, string] => [name, withoutNul(text)];
    const common = { pieces: PIECES, draws: sampleSize(500, 5), read: handle };
    await expectLinearTexts({ ...common, longest: LONGEST, inputOf: (text) => messageOf([field(text), FROM]) });
    await expectLinearTexts({ ...common, longest: LONGEST_PARSED, inputOf: (text) => messageOf([field(text)]) });
  });

  it.each(sampled(NAMES, 2))('takes at most 2.5 times as long when it has twice as many fields %s', async (name) => {
    for (const value of sampled(PIECES, 1)) {
      const fields = (length: number) => Array.from({ length: length / 20 }, (): [string, string] => [name, value]);
      await expectLinearCost(LONGEST, (length) => messageOf(fields(length)), handle);
    }
  });

  it('takes at most 2.5 times as long when the name of a field is twice as long', async () => {
    await expectLinearTexts({
      pieces: NAMES,
      longest: LONGEST,
      draws: sampleSize(500, 5),
      inputOf: (text) => messageOf([[withoutNul(text), LOGIN]]),
      read: handle,
    });
  });

  it('takes at most 2.5 times as long with a recipient, a macro and a body twice as long', async () => {
    await expectLinearTexts({
      pieces: [...PIECES, '{a}', '\0'],
      longest: LONGEST,
      draws: sampleSize(500, 5),
      inputOf: (text) => [
        packetOf(COMMAND.mail, Buffer.from('<a@b.test>\0')),
        packetOf(COMMAND.rcpt, Buffer.from(`<${text}>\0`)),
        macroPacket(COMMAND.rcpt, [text]),
        packetOf(COMMAND.body, Buffer.from(text)),
        packetOf(COMMAND.endOfMessage),
      ],
      read: handle,
    });
  });

  it('takes at most 2.5 times as long with twice as many recipients', async () => {
    const recipients = (count: number) => Array.from({ length: count }, (_, index) => `${index}@b.test`);
    await expectLinearCost(20_000, (count) => messageOf([FROM], recipients(count)), handle);
  });

  it('takes at most 2.5 times as long in twice as many chunks of one byte', async () => {
    await expectLinearCost(LONGEST, (length) => chunksOfOneByte(messageOf([['From', 'a'.repeat(length)]])), handle);
  });
});

function chunksOfOneByte(chunks: readonly Buffer[]): Buffer[] {
  const bytes = Buffer.concat(chunks);
  return Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));
}
