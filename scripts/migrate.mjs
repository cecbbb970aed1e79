// @ts-check
// `npm run migrate`: runs the missing migrations on the configured database and ends.
import { runApi } from './foreground.mjs';
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';

await main(async () => {
  await prepare({ testTools: false });
  return await runApi(['--migrate-only', ...process.argv.slice(2)], { stoppedStatus: 143 });
});
