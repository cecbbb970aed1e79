// Started by processes.mjs. Remembers what its owner started, and clears it away when the owner is gone: the end of
// the pipe is the one sign of that which SIGKILL cannot suppress and a reused process number cannot fake.
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const groups = new Set();
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
    // It has ended by itself.
  }
}
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
