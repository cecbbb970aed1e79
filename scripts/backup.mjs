// @ts-check
// `npm run backup -- --to <folder>`: makes a backup beside the running service.
import { runBuilt } from './built-command.mjs';

await runBuilt('apps/api/dist/backup.js');
