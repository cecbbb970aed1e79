import { runCommand } from '../run-command.js';
import type { MailServer } from './outage-watch.js';

const TIMEOUT_MS = 60_000;

/** An instance of Postfix. After a reload each of its processes ends with the session that it has. */
export function postfixIn(directory: string): MailServer {
  return {
    name: directory,
    renew: async () => void (await runCommand('postfix', ['-c', directory, 'reload'], TIMEOUT_MS)),
  };
}

/**
 * Dovecot. Only the processes that ask the database are ended, each after the question that it answers: a reload would
 * end all sessions of mail programs within a minute.
 */
export function dovecotIn(directory: string): MailServer {
  return {
    name: directory,
    renew: async () => {
      const args = ['-c', `${directory}/dovecot.conf`, '-f', 'tab', 'process', 'status', 'auth-worker'];
      for (const pid of pidsIn(await runCommand('doveadm', args, TIMEOUT_MS))) end(pid);
    },
  };
}

/** @param table a line of names, and one for each process, their columns separated by tabs */
function pidsIn(table: string): number[] {
  const [names = [], ...processes] = table.split('\n').map((line) => line.split('\t'));
  const column = names.indexOf('pid');
  return processes.map((fields) => Number(fields[column])).filter((pid) => Number.isSafeInteger(pid) && pid > 1);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
