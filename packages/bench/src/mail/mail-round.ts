import { setTimeout as delay } from 'node:timers/promises';
import type { Instance, PostfixVariant } from './postfix-variant.js';
import { type Envelope, SmtpSession } from './smtp-session.js';

/** The least part of a second in which the queue is looked at. */
const LOOK_MS = 5;

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

/** Sends messages in a closed loop of sessions, and waits until Postfix has delivered all. */
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
  while (variant.queued(load.instance) > 0) await delay(LOOK_MS);
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(opened.map((session) => session.quit()));
  return { seconds, durations };
}
