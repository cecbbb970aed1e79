import { MailRig } from './mail-rig.js';
import { PolicyStandIn } from './policy-stand-in.js';
import { PASSWORD, prepareScratchSchema, ScratchPlatform } from './scratch-platform.js';
import type { SmtpReply, TestMessage } from './smtp-client.js';

/** Nobody of ours. */
export const OUTSIDE = 'friend@elsewhere.test';

/** The mail servers on the scratch schema with a stand-in for the policy daemon; alice and bob at acme.test, carol at beta.test. */
export class ScratchStack {
  private constructor(
    readonly rig: MailRig,
    readonly policy: PolicyStandIn,
    readonly platform: ScratchPlatform,
  ) {}

  static async start(): Promise<ScratchStack> {
    const policy = await PolicyStandIn.start();
    const rig = await MailRig.start({ policyd: policy.address, prepareDatabase: prepareScratchSchema });
    const platform = new ScratchPlatform(rig.database);
    await platform.addDomain('acme.test');
    await platform.addMailbox('alice@acme.test');
    await platform.addMailbox('bob@acme.test');
    await platform.addDomain('beta.test');
    await platform.addMailbox('carol@beta.test');
    return new ScratchStack(rig, policy, platform);
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
