import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareVersions, SOFTWARE_VERSION } from '../software-version.js';

/** What `npm run release` recorded of each release: its document, its schemas and its statements. */
const FOLDER = fileURLToPath(new URL('../../../../releases/', import.meta.url));

export interface FormerRelease {
  version: string;
  /** The commit of the release. */
  commit: string;
  file(name: string): Buffer;
}

/** @returns the last release before this software, whose processes run beside it during an update */
export function formerRelease(): FormerRelease {
  const version = readdirSync(FOLDER)
    .filter((name) => compareVersions(name, SOFTWARE_VERSION) < 0)
    .sort(compareVersions)
    .at(-1);
  if (version === undefined) throw new Error(`No release before ${SOFTWARE_VERSION} is recorded in ${FOLDER}`);
  const file = (name: string) => readFileSync(`${FOLDER}${version}/${name}`);
  const { commit } = JSON.parse(file('release.json').toString()) as { commit: string };
  return { version, commit, file };
}
