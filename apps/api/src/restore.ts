import { parseArgs } from 'node:util';
import { readConfig } from '@mailstead/adapters/config';
import { openAccept } from '@mailstead/adapters/recovery/open-accept';
import { Progress } from '@mailstead/adapters/recovery/progress';
import { DEFAULT_RAISE, restoreBackup } from '@mailstead/adapters/recovery/restore-backup';
import { reportLines } from './recovery/report-lines.js';
import { runCommand } from './recovery/run-command.js';

const USAGE =
  'npm run restore -- --from <folder> [--identity <file>] [--raise <n>] [--other-secret-key], or --show, or --accept';
const MAX_RAISE = 1_000_000_000_000;

await runCommand(USAGE, async (args, signal) => {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      identity: { type: 'string' },
      raise: { type: 'string' },
      'other-secret-key': { type: 'boolean' },
      show: { type: 'boolean' },
      accept: { type: 'boolean' },
    },
  });
  const { from, identity = null, show = false, accept = false } = values;
  if ([from !== undefined, show, accept].filter(Boolean).length !== 1) throw new Error(`Use: ${USAGE}`);
  if (from === undefined) {
    await showOrAccept(accept, signal);
    return;
  }
  const raise = raiseOf(values.raise);
  const manifest = await restoreBackup(readConfig(), {
    from,
    identity,
    raise,
    otherSecretKey: values['other-secret-key'] ?? false,
    progress: new Progress(process.stderr),
    signal,
  });
  process.stdout.write(
    `Restored the backup of ${manifest.taken_at}. The service is closed until it is accepted: look at \`npm run restore -- --show\`, then run it with --accept\n`,
  );
});

async function showOrAccept(isAccepted: boolean, signal: AbortSignal): Promise<void> {
  const { acceptRestore, close } = await openAccept(readConfig());
  try {
    const report = await acceptRestore.report();
    // The counts may take minutes.
    signal.throwIfAborted();
    if (report === null || (isAccepted && !(await acceptRestore.accept(report)))) {
      throw new Error('Nothing waits to be accepted');
    }
    process.stdout.write(reportLines(report));
  } finally {
    await close();
  }
}

function raiseOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RAISE;
  const raise = /^\d{1,13}$/.test(text) ? Number(text) : 0;
  if (raise < 1 || raise > MAX_RAISE) throw new Error(`--raise: must be a whole number from 1 to ${MAX_RAISE}`);
  return raise;
}
