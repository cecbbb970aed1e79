import { withTimeout } from '@mailstead/core/with-timeout';
import { ROUND_SECONDS } from './load.js';

/** Long, because a server with a short queue of new connections makes their client try again after 1, 3 and 7 s. */
const OPEN_WITHIN_MS = 10_000;
const TIMES = {
  roundMs: ROUND_SECONDS * 1_000,
  /** What the last answer may take after the end of the round. */
  patienceMs: 1_000,
};

/** A connection, or several of one SMTP session, that sends one message after the other. */
export interface Session {
  /** @throws Error when a server refuses the message or closes the connection. */
  send(): Promise<void>;
  close(): void;
}

export interface Rate {
  /** Messages answered within the round, also those of sessions that failed later in it. */
  perSecond: number;
  /** Why sessions failed, one for each. A server that stops answering ends here, and is not waited for. */
  failures: string[];
}

/** Runs one closed-loop round: each session sends its next message when the last one was answered. */
export async function closedLoop(
  sessions: number,
  open: (index: number) => Promise<Session>,
  { roundMs, patienceMs } = TIMES,
): Promise<Rate> {
  const opened = await Promise.allSettled(Array.from({ length: sessions }, (_, index) => opening(open(index))));
  const deadline = performance.now() + roundMs;
  const outcomes = await Promise.all(
    opened.map(async (each) =>
      each.status === 'fulfilled'
        ? await untilDeadline(each.value, deadline, patienceMs)
        : { answered: 0, failure: String(each.reason) },
    ),
  );
  return {
    perSecond: outcomes.reduce((sum, { answered }) => sum + answered, 0) / (roundMs / 1_000),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  };
}

/** @throws Error when the session does not open in time. It is closed when it opens later. */
function opening(session: Promise<Session>): Promise<Session> {
  return withTimeout(session, OPEN_WITHIN_MS, () => {
    session.then(
      (late) => late.close(),
      () => undefined,
    );
    throw new Error('The connection was not accepted');
  });
}

async function untilDeadline(
  session: Session,
  deadline: number,
  patienceMs: number,
): Promise<{ answered: number; failure: string | null }> {
  let answered = 0;
  const run = async (): Promise<null> => {
    for (;;) {
      await session.send();
      if (performance.now() >= deadline) return null;
      answered += 1;
    }
  };
  const failure = await withTimeout(
    run().catch(String),
    deadline - performance.now() + patienceMs,
    () => 'The connection went silent',
  );
  session.close();
  return { answered, failure };
}
