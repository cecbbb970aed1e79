import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianRoot, missingForRoot } from '../../../../scripts/debian-root.mjs';
import { describeUpgrade } from './describe-stack.js';
import { until } from './until.js';

const SCRIPTS = fileURLToPath(new URL('../../../../scripts/', import.meta.url));

describeUpgrade('a run in a root of Debian 13', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'root-run-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves no process and no mount when it is killed, not even of a server in a session of its own', async () => {
    expect(await missingForRoot()).toBeNull();
    const root = await debianRoot();
    const mark = `86400.${process.pid}`;
    const program = `
      import { spawnInRoot } from '${SCRIPTS}debian-root.mjs';
      spawnInRoot('${root}', ['sh', '-c', 'setsid sleep ${mark} & sleep ${mark}'], { temporary: '${folder}' });
      setInterval(() => undefined, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    await until('both processes in the root', async () => (await processesWith(mark)) >= 2);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await until('no process to be left', async () => (await processesWith(mark)) === 0);
    expect(await readFile('/proc/self/mounts', 'utf8')).not.toContain(root);
    expect(await readdir(join(root, 'proc'))).toEqual([]);
  });
});

/** Returns how many processes of this machine have this text as an argument of their own. */
async function processesWith(argument: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.split('\0').includes(argument)).length;
}
