// @ts-check
// `npm start`: installs packages and builds when needed, and runs the API until a stop signal.
import { runApi } from './foreground.mjs';
import { main, prepare } from './prepare.mjs';

await main(async () => {
  await prepare({ portal: true, stoppedStatus: 0 });
  return await runApi(process.argv.slice(2), { stoppedStatus: 0 });
});
