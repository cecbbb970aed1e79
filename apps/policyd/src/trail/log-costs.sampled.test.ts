import { expectLinearCost, expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { readDelivery } from '../delivery-meter/delivered-message.js';
import { readEndedSession } from '../delivery-meter/ended-session.js';
import { MessagesInFlight } from './messages-in-flight.js';

/** The most that is read of a log at a time. */
const LONGEST = 262_144;
const NOW = new Date('2026-03-15T12:00:00.000Z');
const AT = 'Mar 15 11:00:00 mx-1';
const CLIENT = 'unknown[192.0.2.1]';

/** Lines that the readers take, each up to a text of which a stranger decides. */
const BEGINNINGS = [
  '',
  'Mar 15 11:00:00 ',
  '2026-03-15T11:00:00.000000+00:00 ',
  `${AT} postfix/`,
  `${AT} postfix/smtpd[7]: NOQUEUE: reject: RCPT from ${CLIENT}: 550 5.1.1 `,
  `${AT} postfix/smtpd[7]: NOQUEUE: reject: RCPT from `,
  `${AT} postfix/smtpd[7]: 4QABCDEF12: client=`,
  `${AT} postfix/cleanup[7]: 4QABCDEF12: message-id=`,
  `${AT} postfix/qmgr[7]: 4QABCDEF12: from=<`,
  `${AT} postfix/smtp[7]: 4QABCDEF12: to=<`,
  `${AT} postfix/smtp[7]: 4QABCDEF12: to=<a@b.test>, orig_to=<`,
  `${AT} postfix/smtp[7]: 4QABCDEF12: to=<a@b.test>, relay=a, delay=1, delays=1, dsn=2.0.0, `,
  `${AT} postfix/lmtp[7]: 4QABCDEF12: to=<a@b.test>, relay=a, delay=1, delays=1, dsn=2.0.0, status=sent (`,
  `${AT} dovecot: lmtp(a@b.test)<7><x>: `,
  `${AT} dovecot: lmtp(a@b.test)<7><x>: msgid=`,
  `${AT} dovecot: imap(a@b.test)<7><x>: Logged out`,
  `${AT} dovecot: imap(`,
];
const PIECES = [
  '; from=<a@b.test> to=<a@b.test> proto=ESMTP helo=<',
  '; from=<"',
  '; from=<> to=<"',
  'a=b, ',
  '"\\"',
  '"@a',
  '@b.test',
  '>, relay=',
  ' sasl_username=<',
  ', size=1, saved mail to ',
  ' in=1 out=1',
  'status=sent (',
];

describe('a log', () => {
  /** As the follower of the trail and the meters of deliveries read it. */
  function read(lines: readonly string[]): void {
    const messages = new MessagesInFlight('mx-1');
    for (const line of lines) {
      messages.read(line, NOW);
      readDelivery(line);
      readEndedSession(line);
    }
  }

  it.each(BEGINNINGS)('takes at most 2.5 times as long when a line is twice as long: %s', async (beginning) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 3),
      inputOf: (text) => [beginning + text.replaceAll('\n', ' ')],
      read,
    });
  });

  const some = sampled(BEGINNINGS, 2);
  it.each(some)('takes at most 2.5 times as long when it has twice as many lines: %s', async (beginning) => {
    const lineOf = (number: number) =>
      `${beginning}${PIECES[0]}a>`.replace('4QABCDEF12', `4Q${number.toString(36).toUpperCase().padStart(8, '0')}`);
    // The longest has some times as many messages as the follower remembers.
    await expectLinearCost(80_000, (count) => Array.from({ length: count }, (_, number) => lineOf(number)), read);
  });
});
