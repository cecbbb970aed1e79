import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reaper } from './reaper.js';

it('stops the servers of its pid files, also one that ignores SIGTERM, and removes the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reaper-'));
  const willing = spawn('sleep', ['60']);
  const stubborn = spawn('sh', ['-c', "trap '' TERM; echo ready; while :; do sleep 0.1; done"]);
  await once(stubborn.stdout, 'data');
  await writeFile(join(folder, 'willing.pid'), ` ${willing.pid}\n`);
  await writeFile(join(folder, 'stubborn.pid'), `${stubborn.pid}`);
  const ended = [once(willing, 'exit'), once(stubborn, 'exit')];
  const files = ['willing', 'stubborn', 'never-started'].map((name) => join(folder, `${name}.pid`));
  await Reaper.watch(folder, files, 1).reap();
  expect((await Promise.all(ended)).map(([, signal]) => signal as string)).toEqual(['SIGTERM', 'SIGKILL']);
  await expect(access(folder)).rejects.toThrow('ENOENT');
});
