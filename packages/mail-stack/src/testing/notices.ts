import { type Fate, fatesOf } from './fates.js';

/** A notice that Postfix made itself: a bounce, or a report of a delivery or a delay (RFC 3464). */
export interface Notice {
  queueId: string;
  /** Its delivery attempts so far. */
  fates: Fate[];
  /** Whether it has left the queue. */
  removed: boolean;
}

/** Returns all notices in Postfix's log, oldest first. */
export function noticesIn(log: string): Notice[] {
  const made = / (?:sender|postmaster) (?:non-delivery|delivery status|delay) notification: (\w+)$/gm;
  return [...log.matchAll(made)].map(([, queueId = '']) => ({
    queueId,
    fates: fatesOf(log, queueId),
    removed: log.includes(` ${queueId}: removed`),
  }));
}

/** Returns a sentence for each notice that had more than one recipient, or was given to anything but Dovecot. */
export function leaks(notices: readonly Notice[]): string[] {
  return notices.flatMap(({ queueId, fates }) => {
    const recipients = new Set(fates.map(({ line }) => / to=<([^>]*)>/.exec(line)?.[1]));
    const elsewhere = fates.filter(({ line }) => !/ relay=\S+\/dovecot-lmtp\],/.test(line));
    return [
      ...(recipients.size > 1 ? [`${queueId} has ${recipients.size} recipients`] : []),
      ...elsewhere.map(({ line }) => `${queueId} was not given to Dovecot: ${line}`),
    ];
  });
}
