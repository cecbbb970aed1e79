import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '@mailstead/core/errors';
import { createLogger } from '../logger.js';
import { replaceFile } from '../replace-file.js';
import { runCommand } from '../run-command.js';
import { dovecotIn, postfixIn } from './mail-servers.js';
import { OutageWatch } from './outage-watch.js';
import { readOutagesConfig } from './outages-config.js';

const PAUSE_MS = 2_000;
/** Of one look. A database that hangs that long has failed. */
const LOOK_TIMEOUT_MS = 5_000;
/** The answer of the map `up`. */
const UP = 'DUNNO';
const [WORKS, OWED] = ['works', 'fails'];

/**
 * Asks the database every two seconds through the rendered map `up`, with a new process of Postfix, which remembers no
 * failure, and renews Dovecot and Postfix after an outage. Runs as root until it is killed, which it may be at any
 * time. Dovecot comes first, because Postfix's new processes ask it.
 */
async function main(): Promise<void> {
  const { postfixMx, postfixSubmission, dovecotConfig, outagesState, logLevel } = readOutagesConfig();
  const logger = createLogger(logLevel);
  await mkdir(dirname(outagesState), { recursive: true, mode: 0o755 });
  const watch = new OutageWatch(
    {
      whyNot: async () => {
        const args = ['-c', postfixMx, '-q', 'up', `mysql:${postfixMx}/sql/up.cf`];
        const answer = await runCommand('postmap', args, LOOK_TIMEOUT_MS).catch((error: unknown) => reasonOf(error));
        return answer.trim() === UP ? null : answer;
      },
      servers: [
        dovecotIn(dovecotConfig),
        ...[postfixMx, postfixSubmission].filter((directory) => directory !== null).map(postfixIn),
      ],
      now: () => performance.now(),
      store: async (isOwed) =>
        await replaceFile(outagesState, `${new Date().toISOString()} ${isOwed ? OWED : WORKS}\n`),
      tell: (level, event, details) => void logger.log(level, event, details),
    },
    (await readFile(outagesState, 'utf8').catch(() => '')).trim().endsWith(` ${OWED}`),
  );
  for (;;) {
    await watch.look();
    await delay(PAUSE_MS);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`Outages of the database are not noticed: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});
