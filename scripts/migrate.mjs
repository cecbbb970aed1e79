// @ts-check
// `npm run migrate`: runs the missing migrations on the configured database and ends.
import { runApi } from './foreground.mjs';
import { main, prepare } from './prepare.mjs';

await main(async () => {
  await prepare();
  return await runApi(['--migrate-only', ...process.argv.slice(2)], { stoppedStatus: 143 });
});
