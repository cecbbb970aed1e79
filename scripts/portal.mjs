// @ts-check
// `npm run portal`: builds the web page when its sources have changed. `npm start` and `npm test` do the same.
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';

await main(async () => {
  await prepare({ testTools: false, build: false, portal: true });
  return 0;
});
