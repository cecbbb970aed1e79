import { readdir, readFile } from 'node:fs/promises';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addDomain, addMailboxes } from './testing/platform.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const DESTINATIONS = [OUTSIDE, 'second@elsewhere.test'];

describeStack('the count of submitted mail, while Postfix is killed', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
  });
  afterAll(async () => {
    await stack?.stop();
  });

  /** Without repeats: a Postfix that is killed after the relay's reply sends the same copies again. */
  const relayed = (sender: string): number => {
    const own = stack.rig.relays[0].messages.filter(({ from }) => from === sender);
    return new Set(own.flatMap(({ to, text }) => to.map((address) => `${queueIdIn(text)} ${address}`))).size;
  };

  /** The accepted messages of which a recipient lacks the copy, by their subjects. */
  const missing = (subjects: readonly string[]): string[] => {
    const arrived = stack.rig.relays[0].messages.flatMap(({ to, text }) =>
      to.map((address) => `${/^Subject: (.*?)\r?$/m.exec(text)?.[1]} ${address}`),
    );
    const known = new Set(arrived);
    return subjects.filter((subject) => DESTINATIONS.some((address) => !known.has(`${subject} ${address}`)));
  };

  it('is never lower than what the relay received, although Postfix is killed during messages', async () => {
    const user = 'user@killed.test';
    await addDomain(stack.acme, 'killed.test');
    await addMailboxes(stack.acme, user);
    await stack.platform.master.put('/domains/killed.test/outbound', { outbound_tier: 'unlimited' });
    const directory = configDirectoryOf(stack.rig.settings, 'submission');
    const stream = { accepted: [] as string[], tried: 0, isEnding: false };
    const sender = async (): Promise<void> => {
      while (!stream.isEnding) {
        stream.tried += 1;
        const subject = `message ${stream.tried} ends here`;
        const message = { from: user, to: DESTINATIONS, subject };
        const reply = await stack.submit(user, message).catch(() => null);
        if (reply?.code === 250) stream.accepted.push(subject);
      }
    };
    const senders = Promise.all(Array.from({ length: 3 }, sender));
    for (let round = 1; round <= 3; round += 1) {
      const goal = stream.accepted.length + 3;
      await until('messages to be accepted', async () => stream.accepted.length >= goal);
      await killPostfix(`${stack.rig.folder}/queue-submission/pid/master.pid`);
      await runProgram('postfix', ['-c', directory, 'start']);
    }
    stream.isEnding = true;
    await senders;
    await stack.rig.postfix('postqueue', '-f');
    await until('every accepted message to be relayed', async () => missing(stream.accepted).length === 0);
    await until('the queue to be empty', async () =>
      (await stack.rig.queue()).every(({ sender: from }) => from !== user),
    );
    const counted = Number((await stack.platform.master.get('/domains/killed.test/outbound')).sent_today);
    expect(counted).toBeGreaterThanOrEqual(relayed(user));
    expect(counted).toBeLessThanOrEqual(2 * stream.tried);
  });
});

/** Returns the queue id in the first Received field, which the submission instance wrote. */
function queueIdIn(text: string): string {
  return / id (\w+)/.exec(text)?.[1] ?? '';
}

/** Kills all processes of one Postfix instance at once, and returns when none is left. */
async function killPostfix(pidFile: string): Promise<void> {
  const master = Number(await readFile(pidFile, 'utf8'));
  // A master that runs would start another process meanwhile, which would keep its lock.
  process.kill(master, 'SIGSTOP');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all: number[] = [master];
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s+${master}$`, 'm').test(status)) all.push(Number(pid));
  }
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
  await until('the killed processes to end', async () => {
    const running = await Promise.all(all.map(isRunning));
    return !running.includes(true);
  });
}

/** A zombie has ended, although nobody has asked for its exit code yet. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status !== '' && !/^State:\s+[ZX]/m.test(status);
}
