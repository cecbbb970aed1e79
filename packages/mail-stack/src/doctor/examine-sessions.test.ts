import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineSessions } from './examine-sessions.js';

/** What 8,000 sessions need, on a host with room. */
const ENOUGH = {
  'run/master.pid': '4711\n',
  'proc/4711/limits':
    'Limit   Soft Limit   Hard Limit   Units\nMax open files            65535                65535                files     \n',
  'proc/4711/cgroup': '0::/system.slice/dovecot.service\n',
  'cgroup/system.slice/dovecot.service/pids.max': '20000\n',
  'proc/sys/kernel/pid_max': '4194304\n',
  'proc/sys/kernel/threads-max': '127000\n',
  'proc/sys/fs/inotify/max_user_instances': '9000\n',
  'proc/sys/fs/inotify/max_user_watches': '1048576\n',
  'dovecot.log': 'Nov 29 13:15:12 master: Info: Dovecot v2.3.19.1 starting up\n',
};

describe('the doctor of sessions', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-sessions-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** Returns what the doctor says on a host with these files. */
  async function findings(changes: Partial<Record<keyof typeof ENOUGH, string>> = {}): Promise<[string, string][]> {
    for (const [path, text] of Object.entries({ ...ENOUGH, ...changes })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const settings = new MailStackSettings();
    Object.assign(settings.dovecot, { baseDirectory: `${folder}/run`, logFile: `${folder}/dovecot.log` });
    const found = await examineSessions(settings, { proc: `${folder}/proc`, cgroup: `${folder}/cgroup` });
    return found.map(({ verdict, sentence }) => [verdict, sentence]);
  }

  const bad = async (changes: Partial<Record<keyof typeof ENOUGH, string>>): Promise<[string, string][]> =>
    (await findings(changes)).filter(([verdict]) => verdict !== 'ok');

  it('says that all of them can be open where files, processes and inotify suffice', async () => {
    expect(await findings()).toEqual([
      ['ok', 'Dovecot has the files and processes for 8000 sessions (dovecot.sessions).'],
      ['ok', 'Linux tells 8000 sessions at once of new mail.'],
      ['ok', expect.stringMatching(/names no limit that was reached\.$/)],
    ]);
  });

  it('takes a unit without a bound, and a container that shows none, for enough', async () => {
    const limits = ENOUGH['proc/4711/limits'].replaceAll('65535    ', 'unlimited');
    expect(await bad({ 'cgroup/system.slice/dovecot.service/pids.max': 'max\n', 'proc/4711/limits': limits })).toEqual(
      [],
    );
    expect(await bad({ 'proc/4711/cgroup': '8:pids:/\n' })).toEqual([]);
    expect(await bad({ 'proc/4711/cgroup': '0::/elsewhere\n' })).toEqual([]);
  });

  it.each([
    [
      'proc/4711/limits',
      'Max open files            1024                 1048576              files\n',
      'files of a process (LimitNOFILE): 1024 instead of 11020',
    ],
    ['cgroup/system.slice/dovecot.service/pids.max', '4915\n', 'processes (TasksMax): 4915 instead of 10020'],
    ['proc/sys/kernel/pid_max', '10019\n', 'processes of all programs (kernel.pid_max): 10019 instead of 10020'],
    ['proc/sys/kernel/threads-max', '7000\n', 'processes of all programs (kernel.threads-max): 7000 instead of 10020'],
  ] as const)('is WRONG when %s is too low, and names what is needed', async (path, text, says) => {
    const [finding, ...more] = await bad({ [path]: text });
    expect(finding).toEqual([
      'wrong',
      expect.stringContaining(`cannot open 8000 sessions (dovecot.sessions): ${says}`),
    ]);
    expect(more).toEqual([]);
  });

  it('notes each value of inotify that is too low', async () => {
    expect(
      await bad({
        'proc/sys/fs/inotify/max_user_instances': '8999\n',
        'proc/sys/fs/inotify/max_user_watches': '35999\n',
      }),
    ).toEqual([
      [
        'warning',
        expect.stringMatching(
          /up to 30 s late: fs\.inotify\.max_user_instances: 8999 instead of 9000, fs\.inotify\.max_user_watches: 35999 instead of 36000;/,
        ),
      ],
    ]);
  });

  it('reads only the end of a long log, and whole lines of it', async () => {
    const old =
      'Nov 28 13:15:12 master: Warning: service(imap): process_limit (100) reached, client connections are being dropped\n';
    const filler = `${'Nov 29 imap-login: Info: Login '.padEnd(1023, 'x')}\n`.repeat(4096);
    expect(await bad({ 'dovecot.log': `${old}${filler}` })).toEqual([]);
    expect(await bad({ 'dovecot.log': `${filler}${old}` })).toEqual([
      ['wrong', expect.stringContaining('Nov 28 13:15:12')],
    ]);
  });

  it('says that it knows nothing when Dovecot does not run', async () => {
    await findings();
    await rm(join(folder, 'run/master.pid'));
    const settings = new MailStackSettings();
    Object.assign(settings.dovecot, { baseDirectory: `${folder}/run`, logFile: null });
    const found = await examineSessions(settings, { proc: `${folder}/proc`, cgroup: `${folder}/cgroup` });
    expect(found.map(({ verdict }) => verdict)).toEqual(['wrong', 'ok', 'warning']);
    expect(found[0]?.sentence).toMatch(/cannot open 8000 sessions \(dovecot\.sessions\): .*master\.pid/);
  });
});
