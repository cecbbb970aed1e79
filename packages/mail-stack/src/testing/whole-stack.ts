import { freePorts } from '../../../../scripts/free-port.mjs';
import type { ApiCaller } from './api-caller.js';
import { MailRig, type MailRigOptions } from './mail-rig.js';
import type { MailsteadProcess } from './mailstead-process.js';
import { MilterStandIn } from './milter-stand-in.js';
import { addDomain, addMailboxes, PASSWORD, type Platform } from './platform.js';
import { PolicyStandIn } from './policy-stand-in.js';
import type { SmtpReply, TestMessage } from './smtp-client.js';

/** An address outside the platform. */
export const OUTSIDE = 'friend@elsewhere.test';

type StackOptions = Omit<MailRigOptions, 'policyd' | 'milter' | 'logins'>;

/**
 * Runs Mailstead and the mail servers. The partner acme has alice and bob at acme.test; the partner beta has carol at
 * beta.test. `Policy` replies to Postfix: a stand-in that a test controls, or the real policy daemon with its milter.
 */
export class WholeStack<Policy extends PolicyStandIn | MailsteadProcess> {
  private constructor(
    readonly rig: MailRig,
    readonly policy: Policy,
    readonly acme: ApiCaller,
    readonly beta: ApiCaller,
    private readonly milterStandIn: MilterStandIn | null,
  ) {}

  /** With stand-ins for the policy daemon and for its milter. */
  static async start(options: StackOptions = {}): Promise<WholeStack<PolicyStandIn>> {
    const [policy, milter] = await Promise.all([PolicyStandIn.start(), MilterStandIn.start()]);
    const rig = await MailRig.start({ ...options, policyd: policy.address, milter: milter.address });
    return await WholeStack.settle(rig, policy, milter);
  }

  /** With the real policy daemon and its milter. */
  static async startWithDaemon(options: StackOptions = {}): Promise<WholeStack<MailsteadProcess>> {
    const [policyPort = 0, milterPort = 0, loginsPort = 0] = await freePorts(3);
    const rig = await MailRig.start({
      ...options,
      policyd: `127.0.0.1:${policyPort}`,
      milter: `127.0.0.1:${milterPort}`,
      logins: `127.0.0.1:${loginsPort}`,
    });
    return await WholeStack.settle(rig, await rig.platform.startPolicyDaemon(policyPort, milterPort, loginsPort), null);
  }

  private static async settle<P extends PolicyStandIn | MailsteadProcess>(
    rig: MailRig,
    policy: P,
    milter: MilterStandIn | null,
  ): Promise<WholeStack<P>> {
    const [acme, beta] = await Promise.all([rig.platform.partner('acme'), rig.platform.partner('beta')]);
    await Promise.all([addDomain(acme, 'acme.test'), addDomain(beta, 'beta.test')]);
    await addMailboxes(acme, 'alice@acme.test', 'bob@acme.test');
    await addMailboxes(beta, 'carol@beta.test');
    return new WholeStack(rig, policy, acme, beta, milter);
  }

  /** The stand-in for the milter. @throws Error with the real policy daemon. */
  get milter(): MilterStandIn {
    if (this.milterStandIn === null) throw new Error('The real milter runs here.');
    return this.milterStandIn;
  }

  get platform(): Platform {
    return this.rig.platform;
  }

  async stop(): Promise<void> {
    await this.rig.stop();
    await this.policy.stop();
    await this.milterStandIn?.stop();
  }

  /** Sends a message on port 25 from another host. */
  async receive(message: Omit<TestMessage, 'from'> & { from?: string }): Promise<SmtpReply> {
    const client = await this.rig.stranger();
    const { reply } = await client.send({ from: OUTSIDE, ...message });
    await client.quit();
    return reply;
  }

  /** Sends a message of a user on the submission port. `localAddress` is the client's address. */
  async submit(user: string, message: TestMessage, localAddress?: string): Promise<SmtpReply> {
    const client = await this.rig.submission(localAddress);
    const login = await client.login(user, PASSWORD);
    const reply = login.code === 235 ? (await client.send(message)).reply : login;
    await client.quit();
    return reply;
  }

  /** Logs in by IMAP. @returns "OK", or the server's message. */
  async login(user: string, password: string): Promise<string> {
    const client = await this.rig.imap();
    const { ok, text } = await client.login(user, password);
    client.close();
    return ok ? 'OK' : text;
  }
}
