import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '../doctor/run.js';
import { countFiles } from './count-files.js';
import { countSessions, PROTOCOLS } from './count-sessions.js';

/** The queues of an instance; `maildrop` and `incoming` are on their way into `active`. */
const QUEUES = ['maildrop', 'incoming', 'active', 'deferred', 'hold'] as const;
/** Counting a queue ends here, so that a very long one costs no more. An alarm is far below. */
const MOST_COUNTED = 100_000;
/** Counting ends after this time in all. What was counted until then is published as incomplete. */
const COUNTS_FOR_MS = 20_000;

/** The label `instance` would be Prometheus' own. */
const NAME = 'mailstead_postfix_queue_messages';
const SESSIONS = 'mailstead_dovecot_sessions';

/** A Dovecot by its `instance_name`, and `dovecot.sessions`. */
export interface DovecotSessions {
  instance: string;
  most: number;
}

/**
 * Writes the number of messages in each queue of these instances, and of Dovecot's sessions, for Prometheus' text file
 * collector, atomically. It needs the right to read the queues (the user `postfix` has it) and no settings, because
 * those contain secrets.
 *
 * @param configDirectories of the instances.
 * @param dovecot whose sessions are counted; null: none.
 * @throws Error when a queue cannot be read; then the file stays as it was, and its age shows it.
 */
export async function writeQueueMetrics(
  configDirectories: readonly string[],
  file: string,
  dovecot: DovecotSessions | null = null,
): Promise<void> {
  const signal = AbortSignal.timeout(COUNTS_FOR_MS);
  const lines: string[] = [];
  for (const directory of configDirectories) {
    const folder = (await run('postconf', ['-c', directory, '-h', 'queue_directory'])).trim();
    for (const queue of QUEUES) {
      const count = await countFiles(join(folder, queue), { most: MOST_COUNTED, signal });
      lines.push(`${NAME}{mta="${basename(directory)}",queue="${queue}"} ${count}`);
    }
  }
  const text = [
    `# HELP ${NAME} Messages in a queue of Postfix, at most ${MOST_COUNTED}.`,
    `# TYPE ${NAME} gauge`,
    ...lines,
    '# HELP mailstead_postfix_queue_incomplete 1 when counting took too long, so that the numbers are too low.',
    '# TYPE mailstead_postfix_queue_incomplete gauge',
    `mailstead_postfix_queue_incomplete ${signal.aborted ? 1 : 0}`,
    ...(dovecot === null ? [] : await sessionLines(dovecot)),
  ];
  await writeFile(`${file}.new`, `${text.join('\n')}\n`, { mode: 0o644 });
  await rename(`${file}.new`, file);
}

async function sessionLines({ instance, most }: DovecotSessions): Promise<string[]> {
  const counts = await countSessions(instance);
  return [
    `# HELP ${SESSIONS} Sessions of a protocol that are open now.`,
    `# TYPE ${SESSIONS} gauge`,
    ...PROTOCOLS.map((protocol) => `${SESSIONS}{protocol="${protocol}"} ${counts[protocol]}`),
    `# HELP ${SESSIONS}_limit Sessions of each protocol that may be open (dovecot.sessions).`,
    `# TYPE ${SESSIONS}_limit gauge`,
    `${SESSIONS}_limit ${most}`,
  ];
}
