import { readdir, readFile } from 'node:fs/promises';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import type { MailsteadProcess } from './testing/mailstead-process.js';
import { addDomain, addMailboxes } from './testing/platform.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

describeStack('the count of submitted mail, while Postfix is killed', () => {
  let stack: WholeStack<MailsteadProcess>;

  beforeAll(async () => {
    stack = await WholeStack.startWithDaemon();
  }, 180_000);
  afterAll(async () => {
    await stack?.stop();
  }, 300_000);

  const relayed = (sender: string): number =>
    stack.rig.relays[0].messages.filter(({ from }) => from === sender).reduce((sum, { to }) => sum + to.length, 0);

  it('is never lower than what the relay received, although Postfix is killed during messages', async () => {
    const user = 'user@killed.test';
    await addDomain(stack.acme, 'killed.test');
    await addMailboxes(stack.acme, user);
    await stack.platform.master.put('/domains/killed.test/outbound', { outbound_tier: 'unlimited' });
    const directory = configDirectoryOf(stack.rig.settings, 'submission');
    const stream = { accepted: 0, tried: 0, isEnding: false };
    const sender = async (): Promise<void> => {
      while (!stream.isEnding) {
        stream.tried += 1;
        const message = { from: user, to: [OUTSIDE, 'second@elsewhere.test'] };
        const reply = await stack.submit(user, message).catch(() => null);
        if (reply?.code === 250) stream.accepted += 1;
      }
    };
    const senders = Promise.all(Array.from({ length: 3 }, sender));
    for (let round = 1; round <= 3; round += 1) {
      const goal = stream.accepted + 3;
      await until('messages to be accepted', async () => stream.accepted >= goal);
      await killPostfix(`${stack.rig.folder}/queue-submission/pid/master.pid`);
      await runProgram('postfix', ['-c', directory, 'start']);
    }
    stream.isEnding = true;
    await senders;
    await stack.rig.postfix('postqueue', '-f');
    await until('every accepted message to be relayed', async () => relayed(user) >= 2 * stream.accepted);
    await until('the queue to be empty', async () =>
      (await stack.rig.queue()).every(({ sender: from }) => from !== user),
    );
    const counted = Number((await stack.platform.master.get('/domains/killed.test/outbound')).sent_today);
    expect(counted).toBeGreaterThanOrEqual(relayed(user));
    expect(counted).toBeLessThanOrEqual(2 * stream.tried);
  }, 240_000);
});

/** Kills all processes of one Postfix instance at once. */
async function killPostfix(pidFile: string): Promise<void> {
  const master = Number(await readFile(pidFile, 'utf8'));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children: number[] = [];
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s+${master}$`, 'm').test(status)) children.push(Number(pid));
  }
  for (const pid of [master, ...children]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}
