import type { OperatorCause } from './partner-suspension.js';

/** The maximum number of characters (code points) of a message. */
export const MAX_STOP_MESSAGE = 500;

/** What a message is about: a cause of a suspension, or the block of outbound mail. */
type StopSubject = 'partner' | OperatorCause | 'block';

/**
 * What an operator tells the partner about a stop of its mail: at most one message for each subject. A message ends
 * with the stop that it is about.
 */
export type StopMessages = Readonly<Partial<Record<StopSubject, string>>>;

/** @param message undefined: the present one stays; null: none */
export function withMessage(
  messages: StopMessages,
  subject: StopSubject,
  message: string | null | undefined,
): StopMessages {
  if (message === undefined || (messages[subject] ?? null) === message) return messages;
  const { [subject]: _former, ...others } = messages;
  return message === null ? others : { ...others, [subject]: message };
}

/** The messages of suspensions that still hold, and that of the block. */
export function messagesOfCauses(messages: StopMessages, causes: readonly StopSubject[]): StopMessages {
  const kept = Object.entries(messages).filter(
    ([subject]) => subject === 'block' || causes.some((cause) => cause === subject),
  );
  return Object.fromEntries(kept);
}

/** As an audit row shows them; nothing when there are none. */
export function shownMessages({ stopMessages }: { stopMessages: StopMessages }): { stop_messages?: StopMessages } {
  return Object.keys(stopMessages).length === 0 ? {} : { stop_messages: stopMessages };
}
