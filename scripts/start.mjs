// @ts-check
// `npm start [-- options]`: installs packages and builds when needed, and runs the API until a stop signal.
import { main } from './main.mjs';
import { USAGE } from './start-options.mjs';
import { startService } from './start-service.mjs';

await main(() => startService({ command: 'npm start', usage: USAGE }));
