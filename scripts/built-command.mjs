// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runApi } from './foreground.mjs';
import { main } from './main.mjs';
import { ROOT } from './processes.mjs';

/**
 * Runs a command of the API with the arguments of this process. In a checkout it first builds what is not built; an
 * image has no sources, and only the scripts that its Dockerfile names.
 * @param {string} entry
 */
export async function runBuilt(entry) {
  await main(async () => {
    if (existsSync(join(ROOT, 'tsconfig.json'))) {
      const { prepare } = await import('./prepare.mjs');
      await prepare({ testTools: false });
    }
    return await runApi(process.argv.slice(2), { stoppedStatus: 1, entry });
  });
}
