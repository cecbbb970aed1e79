import { describeStack } from './testing/describe-stack.js';
import { addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { startServer } from './testing/run-program.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const ALICE = 'alice@acme.test';

describeStack('mail while a process is unavailable', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start({ ownDatabase: true });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  it('is accepted and delivered although the API and the worker are killed, to every mailbox that the API acknowledged', async () => {
    const stream = new MessageStream(stack, 'api');
    const made: string[] = [];
    const making = (async () => {
      for (;;) {
        const email = `made${made.length}@acme.test`;
        await addMailboxes(stack.acme, email);
        made.push(email);
      }
    })().catch(() => undefined);
    await stream.accepts(5);
    await until('some mailboxes to be made', async () => made.length >= 5);
    await Promise.all([stack.platform.api.kill(), stack.platform.worker.kill()]);
    await making;
    await stream.accepts(5);
    expect(stream.refused).toBe(0);
    await stack.platform.api.start();
    await stack.platform.worker.start();
    await stream.end();
    for (const email of made) await stack.receive({ to: email, subject: `to ${email}` });
    for (const email of made) await stack.rig.arrival(email, `to ${email}`);
    await stream.arrives();
  });

  it('is deferred while the database is killed, is accepted after its restart, and no accepted message is lost', async () => {
    const stream = new MessageStream(stack, 'database');
    await stream.accepts(5);
    await stack.rig.services.mariadb?.kill();
    await until('mail to be deferred', async () => stream.refused > 0);
    await stack.rig.services.mariadb?.start();
    // Postfix connects to a failed server again only after a minute.
    await stack.rig.postfix('postfix', 'reload');
    await stream.accepts(5);
    await stream.end();
    await stream.arrives();
    expect(stream.otherThanPutOff).toEqual([]);
    await until('the API to be ready', async () => (await fetch(`${stack.platform.url}/health/ready`)).ok);
  });

  it('is submitted again seconds after Dovecot is back, also when a session began without it', async () => {
    const dovecot = ['-c', `${stack.rig.settings.dovecot.configDirectory}/dovecot.conf`];
    await stack.rig.doveadm('stop');
    // Its process cannot start without Dovecot, and Postfix starts no other one for a while.
    await expect(stack.submit(ALICE, { from: ALICE, to: OUTSIDE })).rejects.toThrow(/closed the connection|ECONNRESET/);
    const throttled = /^(\w+ +\d+ [\d:]+) .*submission\/master.* throttling$/gm;
    const [, begun = ''] = await until('the throttling', async () =>
      [...(await stack.rig.logs()).matchAll(throttled)].at(-1),
    );
    await startServer('dovecot', dovecot, `${stack.rig.folder}/start.log`);
    expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE })).toMatchObject({ code: 250 });
    const connected = [
      ...(await stack.rig.logs()).matchAll(/^(\w+ +\d+ [\d:]+) .*submission\/smtpd.* connect from /gm),
    ];
    const passed = Date.parse(`${connected.at(-1)?.[1]} 2000 UTC`) - Date.parse(`${begun} 2000 UTC`);
    // With Postfix's default no process starts for a minute.
    expect(passed).toBeLessThan(60_000);
  });

  it('is not submitted while the policy daemon is unavailable, but is received', async () => {
    await stack.policy.stop();
    expect(await stack.submit(ALICE, { from: ALICE, to: OUTSIDE })).toMatchObject({
      code: 451,
      text: expect.stringContaining('Outbound policy unavailable'),
    });
    expect(await stack.receive({ to: ALICE, subject: 'still received' })).toMatchObject({ code: 250 });
  });
});

/** Sends alice one message after the other on port 25, and stores the accepted ones. */
class MessageStream {
  private readonly accepted: string[] = [];
  private readonly refusals: number[] = [];
  private ending = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly stack: WholeStack<PolicyStandIn>,
    private readonly name: string,
  ) {
    this.running = this.run();
  }

  get refused(): number {
    return this.refusals.length;
  }

  /** The codes of permanent refusals. */
  get otherThanPutOff(): number[] {
    return this.refusals.filter((code) => code < 400 || code > 499);
  }

  /** Waits until this number of further messages is accepted. */
  async accepts(more: number): Promise<void> {
    const goal = this.accepted.length + more;
    await until(`${goal} messages to be accepted`, async () => this.accepted.length >= goal);
  }

  async end(): Promise<void> {
    this.ending = true;
    await this.running;
  }

  /** Waits until every accepted message is in the inbox. */
  async arrives(): Promise<void> {
    await until('all accepted messages to arrive', async () => {
      await this.stack.rig.postfix('postqueue', '-f');
      const inbox = new Set(await this.stack.rig.inbox(ALICE));
      return this.accepted.every((subject) => inbox.has(subject));
    });
  }

  private async run(): Promise<void> {
    for (let number = 0; !this.ending; number += 1) {
      const subject = `${this.name} ${number}`;
      const { code } = await this.stack.receive({ to: ALICE, subject });
      if (code === 250) {
        this.accepted.push(subject);
      } else {
        this.refusals.push(code);
      }
    }
  }
}
