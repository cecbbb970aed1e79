// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './foreground.mjs';
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
      // What a program reads from standard error is the sentence of the command.
      await prepare({ testTools: false, isSilent: !process.stderr.isTTY });
    }
    return await runCommand(entry, process.argv.slice(2));
  });
}
