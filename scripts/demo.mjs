// @ts-check
// `npm run demo [-- options]`: like `npm start`, with invented data in a folder of its own.
import { join } from 'node:path';
import { main } from './main.mjs';
import { ROOT } from './processes.mjs';
import { DEMO_USAGE } from './start-options.mjs';
import { startService } from './start-service.mjs';

const env = { ...process.env, DATA_DIR: process.env.DATA_DIR ?? join(ROOT, 'demo-data') };

await main(() => startService({ command: 'npm run demo', usage: DEMO_USAGE, args: ['--demo'], env }));
