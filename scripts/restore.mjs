// @ts-check
// `npm run restore -- --from <folder>`: restores a backup; `--show` and `--accept` belong to the restored database.
import { runBuilt } from './built-command.mjs';

await runBuilt('apps/api/dist/restore.js');
