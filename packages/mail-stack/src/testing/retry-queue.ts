import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.js';
import { until } from './until.js';

/**
 * Retries all queued mail of a Postfix instance now. The reload clears the queue manager's cache of the last
 * recipient's route. It ends the queue manager a moment later, which could take the request of `postqueue -f` with it.
 */
export async function retryQueue(configDirectory: string): Promise<void> {
  const postfix = async (program: string, ...args: string[]) =>
    await runProgram(program, ['-c', configDirectory, ...args]);
  const queue = (await postfix('postconf', '-h', 'queue_directory')).trim();
  const master = (await readFile(join(queue, 'pid/master.pid'), 'utf8')).trim();
  const before = await queueManagersOf(master);
  await postfix('postfix', 'reload');
  await until('the end of the queue manager that was reloaded', async () => {
    const now = await queueManagersOf(master);
    return before.every((pid) => !now.includes(pid));
  });
  await postfix('postqueue', '-f');
}

/** The process ids of the queue managers that the master started. */
async function queueManagersOf(master: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isOne = async (pid: string) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return stat.startsWith(`${pid} (qmgr) `) && stat.split(' ')[3] === master;
  };
  const found = await Promise.all(pids.map(async (pid) => ((await isOne(pid)) ? [pid] : [])));
  return found.flat();
}
