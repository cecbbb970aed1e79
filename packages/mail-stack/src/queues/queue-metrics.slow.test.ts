import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeStack } from '../testing/describe-stack.js';
import { addDomain, addMailboxes } from '../testing/platform.js';
import type { PolicyStandIn } from '../testing/policy-stand-in.js';
import { runProgram } from '../testing/run-program.js';
import { until } from '../testing/until.js';
import { OUTSIDE, WholeStack } from '../testing/whole-stack.js';
import { writeQueueMetrics } from './queue-metrics.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

describeStack('what an operator watches', () => {
  let stack: WholeStack<PolicyStandIn>;
  let folders: string[];

  beforeAll(async () => {
    stack = await WholeStack.start();
    const { postfix } = stack.rig.settings;
    folders = [postfix.configDirectory, postfix.submissionInstance.configDirectory];
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const metrics = async (file: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      [...(await readFile(file, 'utf8')).matchAll(/mta="(.*)",queue="(.*)"\} (\d+)/g)]
        .map(([, instance, queue, count]): [string, number] => [`${instance} ${queue}`, Number(count)])
        .filter(([, count]) => count > 0),
    );

  it('the length of each queue is written for Prometheus by the user postfix, who can do nothing else', async () => {
    await addDomain(stack.acme, 'wait.test');
    await addMailboxes(stack.acme, 'walt@wait.test');
    stack.rig.relays[0].mode = 'throttle';
    await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE, subject: 'first' });
    await stack.rig.deferral(OUTSIDE, 'Throttling');
    await stack.rig.postfixAt(folders[1] ?? '', 'postsuper', '-h', 'ALL');
    await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE, subject: 'second' });
    await until('two messages', async () => (await stack.rig.queue()).length === 2);
    const folder = `${stack.rig.folder}/metrics`;
    await mkdir(folder);
    await runProgram('chown', ['postfix', folder]);
    const file = `${folder}/queues.prom`;
    const config = folders.flatMap((directory) => ['--config', directory]);
    await until('the second message to be deferred', async () => {
      await runProgram('setpriv', [
        ...'--reuid postfix --regid postfix --clear-groups --no-new-privs --inh-caps=-all'.split(' '),
        process.execPath,
        MAIN,
        'queues',
        ...config,
        '--out',
        file,
      ]);
      return (await metrics(file))['postfix-submission deferred'] === 1;
    });
    expect(await metrics(file)).toEqual({ 'postfix-submission deferred': 1, 'postfix-submission hold': 1 });
    expect(await readFile(file, 'utf8')).toMatch(/^mailstead_postfix_queue_incomplete 0$/m);
  });

  it('a queue that cannot be read leaves the file as it was', async () => {
    const file = `${stack.rig.folder}/old.prom`;
    await writeFile(file, 'old\n');
    await expect(writeQueueMetrics([...folders, '/nowhere'], file)).rejects.toThrow('/nowhere');
    expect(await readFile(file, 'utf8')).toBe('old\n');
  });

  it('logrotate takes the rendered file, and both instances go on in a new log', async () => {
    const { folder } = stack.rig;
    const [rotation, log] = [`${folder}/logrotate/mailstead-postfix`, `${folder}/postfix.log`];
    await chmod(folder, 0o755);
    const { ino } = await stat(log);
    // The group of the policy daemon, which this machine may not have.
    await writeFile(rotation, (await readFile(rotation, 'utf8')).replace('root mailstead-policyd', 'root root'));
    await runProgram('logrotate', ['-f', '-s', `${folder}/logrotate.state`, rotation]);
    expect((await stat(`${log}.1`)).ino).toBe(ino);
    expect((await stat(log)).mode & 0o777).toBe(0o640);
    await until('both instances to write the new log', async () => {
      await stack.receive({ to: 'nobody@nowhere.test' });
      await stack.submit('alice@acme.test', { from: 'bob@elsewhere.test', to: OUTSIDE });
      const text = await readFile(log, 'utf8');
      return /postfix\/smtpd.*reject/.test(text) && /postfix\/submission\/smtpd|postfix-submission/.test(text);
    });
    expect(await readFile(`${log}.1`, 'utf8')).toContain('daemon started');
  });
});
