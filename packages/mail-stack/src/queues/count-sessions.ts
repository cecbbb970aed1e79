import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The programs of sessions. Each session has a process of its own, which ends with it. */
export const PROTOCOLS = ['imap', 'pop3'] as const;

/**
 * Counts the sessions of a Dovecot that are open: its processes `imap` and `pop3`, which it calls
 * `dovecot-<instance>/imap`. Needs no right but to see the processes of other users.
 *
 * @param instance its `instance_name`.
 * @param proc the folder in which Linux shows its processes.
 */
export async function countSessions(
  instance: string,
  proc = '/proc',
): Promise<Record<(typeof PROTOCOLS)[number], number>> {
  const folder = instance === 'dovecot' ? instance : `dovecot-${instance}`;
  const counts = { imap: 0, pop3: 0 };
  for (const pid of await readdir(proc)) {
    if (!/^\d+$/.test(pid)) continue;
    // A process that ended meanwhile has no file. What it does now may stand after its name and a blank.
    const text = await readFile(join(proc, pid, 'cmdline'), 'latin1').catch(() => '');
    const [name = ''] = text.split(/[\0 ]/, 1);
    for (const protocol of PROTOCOLS) if (name === `${folder}/${protocol}`) counts[protocol] += 1;
  }
  return counts;
}
