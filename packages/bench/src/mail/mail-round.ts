import { setTimeout as delay } from 'node:timers/promises';
import type { Instance, PostfixVariant } from './postfix-variant.js';
import { type Envelope, SmtpSession } from './smtp-session.js';

/** The interval at which the queue is looked at. */
const LOOK_MS = 5;
/** A round of 2,000 messages leaves it in seconds; Postfix tries a message that it cannot deliver again for days. */
const EMPTY_WITHIN_MS = 120_000;

export interface MailLoad {
  instance: Instance;
  sessions: number;
  messages: number;
  /** The address that logs in at the session, or null on port 25. */
  login: (session: number) => string | null;
  envelope: (session: number) => Envelope;
}

export interface MailRound {
  /** Until the last message has left the queue. */
  seconds: number;
  /** From MAIL to the reply to the final dot, in milliseconds. */
  durations: number[];
}

/**
 * Sends messages in a closed loop of sessions, and waits until Postfix has delivered all.
 *
 * @throws Error when the mail server refuses a message or does not answer in time, when it defers one, or when messages
 * stay in the queue.
 */
export async function mailRound(variant: PostfixVariant, load: MailLoad): Promise<MailRound> {
  const port = load.instance === 'postfix' ? variant.ports.mx : variant.ports.submission;
  const opened = await Promise.all(
    Array.from({ length: load.sessions }, (_, index) =>
      SmtpSession.open({ port, login: load.login(index), localAddress: `127.0.0.${2 + (index % 8)}` }),
    ),
  );
  const durations: number[] = [];
  let left = load.messages;
  const started = performance.now();
  await Promise.all(
    opened.map(async (session, index) => {
      while (left > 0) {
        left -= 1;
        const envelope = load.envelope(index);
        const begun = performance.now();
        await session.send(envelope);
        durations.push(performance.now() - begun);
      }
    }),
  );
  await untilEmpty(variant, load.instance);
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(opened.map((session) => session.quit()));
  return { seconds, durations };
}

/** @throws Error with the variant, the instance and its queues when they are not empty in time. */
export async function untilEmpty(
  variant: Pick<PostfixVariant, 'name' | 'queues'>,
  instance: Instance,
  { withinMs = EMPTY_WITHIN_MS, now = () => performance.now(), wait = () => delay(LOOK_MS) } = {},
): Promise<void> {
  for (const deadline = now() + withinMs; ; await wait()) {
    const queues = Object.entries(variant.queues(instance)).filter(([, messages]) => messages > 0);
    if (queues.length === 0) return;
    if (now() < deadline) continue;
    const left = queues.map(([queue, messages]) => `${messages} in ${queue}`).join(', ');
    throw new Error(`Not delivered within ${withinMs / 1_000} s by ${instance} of ${variant.name}: ${left}`);
  }
}
