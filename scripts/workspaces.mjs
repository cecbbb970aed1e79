// @ts-check
// The packages and apps of the repository, and which of them a change reaches.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { isDocument } from './sources.mjs';

/**
 * @typedef {object} Workspace
 * @property {string} folder Like `apps/api`.
 * @property {string} name Like `@mailstead/api`.
 * @property {string[]} uses The names of what its product needs.
 * @property {string[]} testedWith The names of what only its tests need: what they import, and the programs they start.
 */

/** @type {readonly Workspace[]} */
export const WORKSPACES = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(ROOT, parent)).map((child) => {
    const folder = `${parent}/${child}`;
    const { name, dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    );
    return { folder, name, uses: Object.keys(dependencies ?? {}), testedWith: Object.keys(devDependencies ?? {}) };
  }),
);

/**
 * Returns the folders of the workspaces whose tests a change may break: their own, and those that need a changed one.
 * What is in no workspace (scripts, settings of the tools) reaches all; documents reach none.
 * @param {readonly string[]} changed Paths of files.
 * @param {readonly Workspace[]} workspaces
 */
export function reachedBy(changed, workspaces = WORKSPACES) {
  const sources = changed.filter((path) => !isDocument(path));
  const isIn = (/** @type {string} */ path, /** @type {Workspace} */ { folder }) => path.startsWith(`${folder}/`);
  const isElsewhere = sources.some((path) => !workspaces.some((workspace) => isIn(path, workspace)));
  return workspaces
    .filter((workspace) => {
      const needed = [workspace, ...neededBy([...workspace.uses, ...workspace.testedWith], workspaces)];
      return isElsewhere || sources.some((path) => needed.some((one) => isIn(path, one)));
    })
    .map(({ folder }) => folder);
}

/**
 * Returns the workspaces of the names, and what their products need.
 * @param {readonly string[]} names
 * @param {readonly Workspace[]} workspaces
 * @returns {Set<Workspace>}
 */
function neededBy(names, workspaces) {
  const needed = new Set(workspaces.filter(({ name }) => names.includes(name)));
  // A set also yields what is added meanwhile.
  for (const { uses } of needed) {
    for (const workspace of workspaces) if (uses.includes(workspace.name)) needed.add(workspace);
  }
  return needed;
}
