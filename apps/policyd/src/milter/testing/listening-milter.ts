import { OpenSessions } from '../../open-sessions.js';
import { MilterServer } from '../milter-server.js';
import { KeptCounts } from './kept-counts.js';
import { KeptObservations } from './kept-observations.js';
import { type ClientMessage, MilterClient } from './milter-client.js';

/** A milter on a free port. It allows Alice some addresses. */
export class ListeningMilter {
  readonly observed = new KeptObservations();
  readonly counts = new KeptCounts({ 'alice@acme.test': ['alice@acme.test', 'info@acme.test'] });
  readonly sessions = new OpenSessions();
  readonly server = new MilterServer(this.counts, this.observed, this.sessions, { idleMs: 20_000 });

  static async start(): Promise<ListeningMilter> {
    const milter = new ListeningMilter();
    await milter.listen();
    return milter;
  }

  async listen(): Promise<void> {
    await this.server.listen({ host: '127.0.0.1', port: 0 });
  }

  get port(): number {
    return Number(this.server.address.split(':')[1]);
  }

  open(): Promise<MilterClient> {
    return MilterClient.open({ port: this.port });
  }

  /** Sends a message on a new connection and returns the outcome. */
  async outcome(message: ClientMessage) {
    const client = await this.open();
    const answer = await client.send(message);
    client.close();
    return answer;
  }

  /** Sends a message of Alice. @returns the reply; null when the message is accepted. */
  async reply(headers: ClientMessage['headers']): Promise<string | null> {
    return (await this.outcome({ login: 'alice@acme.test', headers })).reply;
  }
}

/** Returns Alice's message with these From fields. */
export function from(...values: string[]): ClientMessage {
  return { login: 'alice@acme.test', headers: values.map((value) => ['From', value] as const) };
}
