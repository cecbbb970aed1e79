import { spawnSync } from 'node:child_process';
import { ask } from './doctor/ask.js';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import { addDomain, addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { WholeStack } from './testing/whole-stack.js';

const COMPLAINT = /\b(warning|error|fatal|deprecated|obsolete|unused)\b/i;

describeStack('the rendered files, read by the installed Postfix and Dovecot', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
  });
  afterAll(async () => {
    await stack?.stop();
  });

  /** Runs a program. @returns its exit code, and the lines of both outputs that complain. */
  const complaintsOf = (program: string, ...args: string[]): [code: number | null, complaints: string[]] => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    // What the files say may contain such a word.
    const text = program === 'postfix' ? `${stdout}\n${stderr}` : stderr;
    return [status, text.split('\n').filter((line) => COMPLAINT.test(line))];
  };

  it('are accepted by Postfix without a warning', async () => {
    for (const instance of ['mx', 'submission'] as const) {
      const directory = configDirectoryOf(stack.rig.settings, instance);
      for (const option of ['-n', '-M', '-P'])
        expect(complaintsOf('postconf', '-c', directory, option)).toEqual([0, []]);
      expect(complaintsOf('postfix', '-c', directory, 'check')).toEqual([0, []]);
    }
    const atStart = (await stack.rig.logs()).split('\n').filter((line) => /postfix-script|postlog/.test(line));
    expect(atStart.filter((line) => COMPLAINT.test(line))).toEqual([]);
  });

  it('are accepted by Dovecot without a warning, also when it runs', async () => {
    const file = `${stack.rig.settings.dovecot.configDirectory}/dovecot.conf`;
    expect(complaintsOf('doveconf', '-n', '-c', file)).toEqual([0, []]);
    expect((await stack.rig.logs()).split('\n').filter((line) => /: (Warning|Error|Fatal|Panic): /.test(line))).toEqual(
      [],
    );
  });

  it('defer mail at delivery to a suspended domain, refuse an unknown address, and take all other mail', async () => {
    await addDomain(stack.acme, 'sleeping.test');
    await addMailboxes(stack.acme, 'sue@sleeping.test');
    await stack.acme.put('/domains/sleeping.test/suspend');
    const replyTo = async (recipient: string): Promise<string | undefined> => {
      const commands = `LHLO rig.test\r\nMAIL FROM:<>\r\nRCPT TO:<${recipient}>\r\nQUIT\r\n`;
      const replies = await ask(stack.rig.settings.dovecot.lmtp, commands, (text) => text.includes('\r\n221 '), {
        greets: true,
      });
      return replies.toString('latin1').split('\r\n').at(-3);
    };
    expect(await replyTo('sue@sleeping.test')).toMatch(/^451 4\.3\.0 /);
    expect(await replyTo('nobody@acme.test')).toMatch(/^550 5\.1\.1 /);
    expect(await replyTo('Alice+news@ACME.test')).toMatch(/^250 2\.1\.5 /);
  });
});
