// @ts-check
// `npm start`: installs what is missing, builds what changed, runs the API until it is asked to stop.
import { runApi } from './foreground.mjs';
import { main, prepare } from './prepare.mjs';

await main(async () => {
  await prepare({ stoppedStatus: 0 });
  return await runApi(process.argv.slice(2), { stoppedStatus: 0 });
});
