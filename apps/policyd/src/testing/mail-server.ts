import { type ClientMessage, MilterClient } from '../milter/testing/milter-client.js';
import { domainOf } from '../submission.js';
import { PostfixClient } from './postfix-client.js';

const CLIENT = '192.0.2.1';

export interface Message {
  /** Null for a message without a login. */
  login: string | null;
  recipients: readonly string[];
  /** The address in From; the login's by default. */
  from?: string;
  body?: string;
}

export interface Submission {
  /** The policy service's action for each recipient. */
  recipients: string[];
  /** The milter's reply at the end; null when the message was accepted, undefined when no recipient was accepted. */
  reply: string | null | undefined;
}

/**
 * Behaves like Postfix: sends a policy request at each RCPT, then sends the message with the accepted recipients to the
 * milter. Each message has a session of its own, of which the policy service knows nothing, until `keepSession`.
 */
export class MailServer {
  private static messages = 0;
  private keepsSession = false;

  private constructor(
    readonly policy: PostfixClient,
    private readonly milter: MilterClient,
    private readonly clientPort: number,
    private readonly hosted: ReadonlySet<string>,
  ) {}

  /** @param hosted the domains in Postfix's map of the platform's domains. */
  static async connect(policyPort: number, milterPort: number, hosted: ReadonlySet<string>): Promise<MailServer> {
    MailServer.messages += 1;
    const clientPort = 10_000 + (MailServer.messages % 50_000);
    return new MailServer(
      await PostfixClient.connect({ port: policyPort }),
      await MilterClient.open({ port: milterPort }),
      clientPort,
      hosted,
    );
  }

  /** All messages from now on are sent in the session that began with the connection to the milter. */
  async keepSession(): Promise<void> {
    this.keepsSession = true;
    await this.milter.announce(CLIENT, this.clientPort);
  }

  async send(message: Message, between: () => Promise<unknown> = async () => undefined): Promise<Submission> {
    MailServer.messages += 1;
    const instance = `${process.pid}.${MailServer.messages}`;
    const recipients: string[] = [];
    for (const recipient of message.recipients) recipients.push(await this.rcpt(message.login, recipient, instance));
    const accepted = message.recipients.filter((_, index) => recipients[index] === 'DUNNO');
    await between();
    return {
      recipients,
      reply: accepted.length === 0 ? undefined : await this.end({ ...message, recipients: accepted }),
    };
  }

  rcpt(login: string | null, recipient: string, instance: string): Promise<string> {
    return this.policy.ask({
      protocol_state: 'RCPT',
      sasl_username: login ?? '',
      recipient,
      instance,
      client_address: CLIENT,
      client_port: this.clientPort,
      policy_context: this.hosted.has(domainOf(recipient)) ? 'mx-1.example' : 'outside',
    });
  }

  /** Sends a message to the milter without policy requests before it. */
  async end({ login, recipients, from, body = '' }: Message): Promise<string | null> {
    MailServer.messages += 1;
    if (!this.keepsSession) this.milter.beginSession();
    const headers: ClientMessage['headers'] = [['From', ` ${from ?? login ?? 'stranger@elsewhere.example'}`]];
    const queueId = `4Q${MailServer.messages}`;
    return (await this.milter.send({ login, headers, recipients, body, queueId, clientPort: this.clientPort })).reply;
  }

  close(): void {
    this.policy.close();
    this.milter.close();
  }
}
