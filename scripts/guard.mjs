// @ts-check
// Started by processes.mjs. Stores the process groups and folders of its owner, and removes them when its
// input ends. The input ends with the owner, also after SIGKILL. A process number would be unsafe, because it may be
// reused.
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
    // The group has already ended.
  }
}
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
