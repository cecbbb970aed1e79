import { parseArgs } from 'node:util';
import { readConfig } from '@mailstead/adapters/config';
import { Progress } from '@mailstead/adapters/recovery/progress';
import { takeBackup } from '@mailstead/adapters/recovery/take-backup';
import { runCommand } from './recovery/run-command.js';

const USAGE = 'npm run backup -- --to <folder> [--encrypt-for <age1…>]';

await runCommand(USAGE, async (args, signal) => {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, 'encrypt-for': { type: 'string' } } });
  const { to, 'encrypt-for': encryptFor = null } = values;
  if (to === undefined || to === '') throw new Error(`--to: is required; ${USAGE}`);
  const manifest = await takeBackup(readConfig(), { to, encryptFor, progress: new Progress(process.stderr), signal });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(`Backup of ${manifest.taken_at} in ${to}: ${manifest.files.length} files, ${bytes} bytes\n`);
});
