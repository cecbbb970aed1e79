import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SessionLimits, sessionLimits } from '../render/session-limits.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding, Warning } from './finding.js';
import { limitComplaints } from './limit-complaints.js';
import { readEnd } from './read-end.js';

/** The folders in which Linux shows its values. */
const LINUX = { proc: '/proc', cgroup: '/sys/fs/cgroup' };
/** The end of Dovecot's log that is read. */
const READ_BYTES = 4 * 1_048_576;

/** A limit that is in force, and the least that the sessions need. */
type Bound = readonly [name: string, value: number, least: number];

/**
 * Checks that Linux and systemd allow now what `dovecot.sessions` needs, and what Dovecot's log says about limits.
 *
 * @param linux folders in which a test shows other values.
 */
export async function examineSessions(
  { dovecot }: Pick<MailStackSettings, 'dovecot'>,
  linux = LINUX,
): Promise<Finding[]> {
  const limits = sessionLimits({ dovecot });
  return [
    await examineProcesses(dovecot.baseDirectory, limits, linux),
    await examineWatches(limits, linux.proc),
    ...(await examineLog(dovecot.logFile)),
  ];
}

/** Reads what the running Dovecot got from systemd, or from the shell that started it. */
async function examineProcesses(
  baseDirectory: string,
  { sessions, openFiles, processes }: SessionLimits,
  { proc, cgroup }: typeof LINUX,
): Promise<Finding> {
  return await toFinding(`Dovecot cannot open ${sessions} sessions (dovecot.sessions)`, async () => {
    const pid = (await readFile(join(baseDirectory, 'master.pid'), 'utf8')).trim();
    const files = /^Max open files +(\d+|unlimited) /m.exec(await readFile(join(proc, pid, 'limits'), 'utf8'))?.[1];
    const low = tooLow([
      ['files of a process (LimitNOFILE)', files === 'unlimited' ? Infinity : Number(files), openFiles],
      ['processes (TasksMax)', await tasksOf(pid, proc, cgroup), processes],
      ['processes of all programs (kernel.pid_max)', await kernelValue(proc, 'kernel.pid_max'), processes],
      ['processes of all programs (kernel.threads-max)', await kernelValue(proc, 'kernel.threads-max'), processes],
    ]);
    if (low === null) return `Dovecot has the files and processes for ${sessions} sessions (dovecot.sessions).`;
    throw new Error(
      `${low}; copy the rendered systemd/dovecot.service.d, run \`systemctl daemon-reload\` and restart Dovecot`,
    );
  });
}

/** Above these limits Dovecot looks for new mail each 30 s instead. */
async function examineWatches(
  { sessions, inotifyInstances, inotifyWatches }: SessionLimits,
  proc: string,
): Promise<Finding> {
  return await toFinding('The limits of Linux cannot be read', async () => {
    const [instances, watches] = ['fs.inotify.max_user_instances', 'fs.inotify.max_user_watches'] as const;
    const low = tooLow([
      [instances, await kernelValue(proc, instances), inotifyInstances],
      [watches, await kernelValue(proc, watches), inotifyWatches],
    ]);
    if (low === null) return `Linux tells ${sessions} sessions at once of new mail.`;
    throw new Warning(
      `Of ${sessions} sessions (dovecot.sessions) that wait for new mail, some would hear of it up to 30 s late: ${low}; copy the rendered sysctl.d and run \`systemctl restart systemd-sysctl\`.`,
    );
  });
}

async function examineLog(logFile: string | null): Promise<Finding[]> {
  if (logFile === null) {
    return [
      {
        verdict: 'warning',
        sentence: 'Whether Dovecot reached a limit is not known (dovecot.logFile is null); its lines in syslog say it.',
      },
    ];
  }
  const complaints: Finding[] = [];
  const finding = await toFinding('The log of Dovecot cannot be read', async () => {
    complaints.push(...limitComplaints(await readEnd(logFile, READ_BYTES)));
    return `Dovecot's log ${logFile} names no limit that was reached.`;
  });
  return complaints.length === 0 ? [finding] : complaints;
}

function tooLow(bounds: readonly Bound[]): string | null {
  const low = bounds.filter(([, value, least]) => !(value >= least));
  return low.length === 0
    ? null
    : low.map(([name, value, least]) => `${name}: ${value} instead of ${least}`).join(', ');
}

async function kernelValue(proc: string, name: string): Promise<number> {
  return Number(await readFile(join(proc, 'sys', ...name.split('.')), 'utf8'));
}

/** The bound of systemd, or of a container, for the processes of Dovecot. Infinity without one. */
async function tasksOf(pid: string, proc: string, cgroup: string): Promise<number> {
  const group = /^0::(.*)$/m.exec(await readFile(join(proc, pid, 'cgroup'), 'utf8'))?.[1];
  if (group === undefined) return Infinity;
  const text = await readFile(join(cgroup, group, 'pids.max'), 'utf8').catch(() => 'max');
  return text.trim() === 'max' ? Infinity : Number(text);
}
