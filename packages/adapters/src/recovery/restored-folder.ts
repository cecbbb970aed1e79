import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The file in the data folder that says that a restore into it has not ended. */
export const UNFINISHED_FILE = 'restore-unfinished';

export const UNFINISHED =
  'A restore was not finished; run `npm run restore -- --from <folder>` again, which starts over';

/** @throws Error when a restore into the folder was killed */
export function refuseUnfinishedFolder(dataDir: string): void {
  if (existsSync(join(resolve(dataDir), UNFINISHED_FILE))) throw new Error(`${UNFINISHED} (DATA_DIR is ${dataDir})`);
}
