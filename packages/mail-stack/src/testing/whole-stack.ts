import type { ApiCaller } from './api-caller.js';
import { MailRig, type MailRigOptions } from './mail-rig.js';
import { addDomain, addMailboxes, PASSWORD, type Platform } from './platform.js';
import { PolicyStandIn } from './policy-stand-in.js';
import type { SmtpReply, TestMessage } from './smtp-client.js';

/** Nobody of ours. */
export const OUTSIDE = 'friend@elsewhere.test';

/**
 * Mailstead and the mail servers, with a stand-in for the policy daemon. The partner acme has alice and bob at acme.test, the partner
 * beta has carol at beta.test.
 */
export class WholeStack {
  private constructor(
    readonly rig: MailRig,
    readonly policy: PolicyStandIn,
    readonly acme: ApiCaller,
    readonly beta: ApiCaller,
  ) {}

  static async start(options: Omit<MailRigOptions, 'policyd' | 'milter'> = {}): Promise<WholeStack> {
    // The one place that says where Postfix finds the policy daemon and the milter.
    const policy = await PolicyStandIn.start();
    const rig = await MailRig.start({ ...options, policyd: policy.address, milter: null });
    const [acme, beta] = await Promise.all([rig.platform.partner('acme'), rig.platform.partner('beta')]);
    await Promise.all([addDomain(acme, 'acme.test'), addDomain(beta, 'beta.test')]);
    await addMailboxes(acme, 'alice@acme.test', 'bob@acme.test');
    await addMailboxes(beta, 'carol@beta.test');
    return new WholeStack(rig, policy, acme, beta);
  }

  get platform(): Platform {
    return this.rig.platform;
  }

  async stop(): Promise<void> {
    await this.rig.stop();
    await this.policy.stop();
  }

  /** Sends as a stranger on port 25. */
  async receive(message: Omit<TestMessage, 'from'> & { from?: string }): Promise<SmtpReply> {
    const client = await this.rig.stranger();
    const { reply } = await client.send({ from: OUTSIDE, ...message });
    await client.quit();
    return reply;
  }

  /** Sends as a user on the submission port. */
  async submit(user: string, message: TestMessage): Promise<SmtpReply> {
    const client = await this.rig.submission();
    const login = await client.login(user, PASSWORD);
    const reply = login.code === 235 ? (await client.send(message)).reply : login;
    await client.quit();
    return reply;
  }

  /** Logs in by IMAP: "OK", or the server's words. */
  async login(user: string, password: string): Promise<string> {
    const client = await this.rig.imap();
    const { ok, text } = await client.login(user, password);
    client.close();
    return ok ? 'OK' : text;
  }
}
