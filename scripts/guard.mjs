// @ts-check
// Started by processes.mjs. Remembers the process groups and folders of its owner, and removes them when its input
// ends: the input ends with the owner, also after SIGKILL, and unlike a process number it cannot belong to another
// process.
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** @type {Set<number>} */
const groups = new Set();
/** @type {Set<string>} */
const folders = new Set();

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...rest] = line.split(' ');
  const value = rest.join(' ');
  if (verb === 'group') groups.add(Number(value));
  if (verb === 'forget') groups.delete(Number(value));
  if (verb === 'folder') folders.add(value);
}
for (const group of groups) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
