// @ts-check
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memoryFolder } from './memory-folder.mjs';

/** @type {string} */
let parent;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'mailstead-test-'));
});

afterEach(() => rmSync(parent, { recursive: true }));

it('the folder is empty and open to every account', async () => {
  const folder = (await memoryFolder({ parent, room: 1 })) ?? '';
  expect([dirname(folder), readdirSync(folder), statSync(folder).mode & 0o7777]).toEqual([parent, [], 0o1777]);
});

it('there is none where there is too little room, or no file system in memory', async () => {
  expect(await memoryFolder({ parent, room: 2 ** 60 })).toBeUndefined();
  expect(readdirSync(parent)).toEqual([]);
  expect(await memoryFolder({ parent: join(parent, 'missing'), room: 1 })).toBeUndefined();
});
