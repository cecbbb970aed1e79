import { CountMessages } from '../count-messages.js';
import type { Fallback } from '../fallback/fallback.js';
import type { UnusedCounts } from '../fallback/unused-counts.js';
import { createLogger } from '../logger.js';
import { PolicydMetrics } from '../metrics.js';
import { OpenSessions } from '../open-sessions.js';
import type { OutboundApi } from '../outbound-api.js';
import { HeadroomMemory } from '../policy/headroom-memory.js';
import { PolicyHandler } from '../policy/policy-handler.js';
import { RecipientMemory } from '../policy/recipient-memory.js';
import type { SettableApi } from './settable-api.js';

interface Session {
  login?: string;
  /** Each port is a session of its own. */
  port?: string;
}

const CLIENT = '192.0.2.1';
const LOGIN = 'alice@acme.test';

/** The parts of a policy daemon that decide about recipients and messages, without sockets, and with a clock. */
export class PolicydParts {
  /** Milliseconds. */
  now = 0;
  /** The sessions whose clients the milter knows: none at first. */
  readonly sessions = new OpenSessions(() => this.now);
  private readonly handler: PolicyHandler;
  private readonly counter: CountMessages;
  private messages = 0;
  /** The number of the message that each session sends, by its port. */
  private readonly instances = new Map<string, number>();

  constructor(
    readonly api: SettableApi,
    fallback: Fallback,
    unused: UnusedCounts,
    readonly mta = 'mx-1',
  ) {
    const outbound = api as unknown as OutboundApi;
    const memory = new RecipientMemory();
    const headrooms = new HeadroomMemory(() => this.now);
    const { policy } = new PolicydMetrics(createLogger('error'));
    this.handler = new PolicyHandler(outbound, fallback, unused, memory, headrooms, this.sessions, policy);
    this.counter = new CountMessages(outbound, fallback, unused, memory, headrooms, mta, null, 0);
  }

  /** @returns the action for a recipient of the session's message; `acme.test` is on the platform. */
  rcpt(recipient: string, session: Session = {}, fields: Record<string, string> = {}): Promise<string> {
    const { login = LOGIN, port = '4000' } = session;
    return this.handler.answer({
      protocol_state: 'RCPT',
      sasl_username: login,
      client_address: CLIENT,
      client_port: port,
      instance: `${this.instances.get(port) ?? 0}`,
      recipient,
      policy_context: recipient.endsWith('@acme.test') ? 'mx.acme.test' : 'outside',
      ...fields,
    });
  }

  /** @returns the reply at the end of the session's message; null when it passes. The next message is another one. */
  async end(
    recipients: readonly string[],
    { login = LOGIN, port = '4000' }: Session = {},
    claims: readonly string[] = [login],
  ): Promise<string | null> {
    this.begin(port);
    const { reply } = await this.counter.count({
      login,
      recipients,
      claims,
      receipt: false,
      bytes: 1_000,
      host: this.mta,
      queueId: `4Q${this.messages}`,
      clientAddress: CLIENT,
      clientPort: port,
      sessionBegan: this.sessions.beganOf(CLIENT, port) ?? 0,
    });
    return reply;
  }

  /** Sends a whole message. @returns what the sender was told, first at RCPT: null when the message passed. */
  async send(recipient: string, session: Session = {}): Promise<{ at: 'RCPT' | 'end'; reply: string | null }> {
    const action = await this.rcpt(recipient, session);
    if (action === 'DUNNO') return { at: 'end', reply: await this.end([recipient], session) };
    this.begin(session.port);
    return { at: 'RCPT', reply: action };
  }

  private begin(port = '4000'): void {
    this.messages += 1;
    this.instances.set(port, this.messages);
  }
}
