import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { expectLinearCost, expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { readSesMessage } from './ses-event.js';
import { SnsWebhook } from './sns-webhook.js';
import { aBridged, aSesBounce, aSesComplaint } from './testing/ses-messages.js';
import { SnsStandIn } from './testing/sns-stand-in.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

/** The most that SNS sends. */
const LONGEST = 262_144;
/**
 * For texts that are parsed as JSON themselves: V8 keeps some 50 bytes for each open bracket, and 2^18 of them have no
 * room in the cache of a busy machine, so that they cost more than 8 times as much as an eighth of them.
 */
const LONGEST_NESTED = 131_072;
const NOW = new Date('2026-03-15T12:00:00.000Z');
const PIECES = [
  '{"Type":"Notification",',
  '"Message":"',
  '\\u00',
  'Jane <jane@example.com>',
  'jane@',
  'xn--a.',
  'ß.',
  'multipart/report; ',
  'report-type = "',
  '5.1.1 ',
  '2026-03-15T12:00:00.000Z',
  'https://sns.eu-central-1.amazonaws.com/?',
];
const SNS_FIELDS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type', 'SigningCertURL', 'Signature'];

/** Events with a text at a place of which a stranger decides, and a list of it. */
const EVENTS: [string, (text: string, texts: string[]) => object][] = [
  ['the sender', (text) => aSesBounce('eventType', { mail: { source: text } })],
  ['the domain of the sender', (text) => aSesBounce('eventType', { mail: { source: `a@${text}` } })],
  [
    'tags',
    (text, texts) => aSesBounce('eventType', { mail: { tags: { 'ses:from-domain': [text], mailstead: texts } } }),
  ],
  [
    'headers',
    (text, texts) =>
      aSesBounce('eventType', {
        mail: {
          headers: [text, ...texts].map((value) => ({ name: 'Content-Type', value: `multipart/report;${value}` })),
        },
      }),
  ],
  [
    'bounced recipients',
    (text, texts) =>
      aSesBounce('eventType', {
        bounce: {
          bouncedRecipients: [text, ...texts].map((each, index) => ({
            emailAddress: `${index}${each}`,
            status: each,
            diagnosticCode: each,
          })),
        },
      }),
  ],
  [
    'recipients that complained',
    (text, texts) =>
      aSesComplaint('eventType', {
        complaint: {
          complaintFeedbackType: text,
          complainedRecipients: texts.map((each, index) => ({ emailAddress: `${each}${index}` })),
        },
      }),
  ],
  ['a type', (text) => ({ ...aSesBounce(), notificationType: text })],
  ['an event of EventBridge', (text, texts) => ({ ...aBridged(text, {}), resources: texts })],
];

describe('an event of the relay', () => {
  let sns: SnsStandIn;
  let webhook: SnsWebhook;

  beforeAll(async () => {
    sns = await SnsStandIn.start();
    const refuse = () => Promise.reject(new Error('nothing is asked'));
    webhook = new SnsWebhook({ topicArns: [TOPIC_ARN] }, sns, new FixedClock(NOW), new RestoreGate(), refuse);
  });

  const receive = (body: Buffer) => webhook.receive({ headers: {}, body, sender: '192.0.2.1' }).catch(() => undefined);
  const common = { pieces: PIECES, longest: LONGEST };

  it('takes at most 2.5 times as long as one of half the length, before its signature is checked', async () => {
    await expectLinearTexts({
      ...common,
      longest: LONGEST_NESTED,
      draws: sampleSize(500, 6),
      inputOf: (text) => Buffer.from(text),
      read: receive,
    });
  });

  it.each(SNS_FIELDS)('takes at most 2.5 times as long when %s is twice as long, signed or not', async (name) => {
    for (const sign of name === 'Type' ? [false] : [false, true]) {
      await expectLinearTexts({
        ...common,
        draws: sampleSize(100, 3),
        inputOf: (text) => {
          const message = sign ? sns.message({ [name]: text }) : { ...sns.message(), [name]: text };
          return Buffer.from(JSON.stringify(message));
        },
        read: receive,
      });
    }
  });

  it.each(EVENTS)('takes at most 2.5 times as long when %s is twice as long', async (_, eventOf) => {
    await expectLinearTexts({
      ...common,
      draws: sampleSize(200, 3),
      inputOf: (text) => JSON.stringify(eventOf(text, [])),
      read,
    });
  });

  it.each(EVENTS)('takes at most 2.5 times as long with twice as many of %s', async (_, eventOf) => {
    for (const piece of sampled(PIECES, 3)) {
      const textsOf = (length: number) => Array.from({ length: length / (piece.length + 20) }, () => piece);
      await expectLinearCost(LONGEST, (length) => JSON.stringify(eventOf('', textsOf(length))), read);
    }
  });
});

/** As the webhook reads what is signed. */
function read(message: string): void {
  try {
    readSesMessage('id', JSON.parse(message));
  } catch {
    // It is refused.
  }
}
