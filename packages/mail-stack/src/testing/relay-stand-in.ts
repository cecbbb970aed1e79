import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { RelaySettings } from '../settings/mail-stack-settings.js';
import { until } from './until.js';

export interface RelayedMessage {
  from: string;
  /** One entry for each RCPT command. */
  to: string[];
  text: string;
}

const FAULTS = {
  throttle: { responseCode: 454, message: 'Throttling failure: Maximum sending rate exceeded.' },
  reject: { responseCode: 554, message: 'Message rejected: Email address is not verified.' },
};

/**
 * Replaces SES's SMTP endpoint: requires STARTTLS and AUTH, replies at the end of a message like SES, and stores the
 * accepted messages.
 */
export class RelayStandIn {
  readonly messages: RelayedMessage[] = [];
  mode: 'accept' | keyof typeof FAULTS = 'accept';
  /** Throws an error with the reply when SES refuses the message (554). It takes every one, unless a test says more. */
  judge: (message: RelayedMessage) => void = () => undefined;
  /** The number of connections. */
  connections = 0;
  /** The number of refused messages. */
  refused = 0;
  private readonly username = 'AKIARIG';
  private readonly password = 'relay-password';
  private readonly server: SMTPServer;
  /** The recipients of unfinished messages, by session. The envelope of `smtp-server` has each address once. */
  private readonly recipients = new Map<string, string[]>();

  private constructor(
    certificate: { cert: string; key: string },
    private readonly kind: RelaySettings['kind'],
    needsLogin: boolean,
  ) {
    this.server = new SMTPServer({
      ...certificate,
      authMethods: ['PLAIN', 'LOGIN'],
      authOptional: !needsLogin,
      disableReverseLookup: true,
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onAuth: ({ username, password }, _session, done) => {
        const right = username === this.username && password === this.password;
        done(right ? null : new Error('Authentication Credentials Invalid'), { user: username });
      },
      onMailFrom: (_sender, session, done) => {
        this.recipients.set(session.id, []);
        done();
      },
      onRcptTo: ({ address }, session, done) => {
        this.recipients.get(session.id)?.push(address);
        done();
      },
      onData: (stream, session, done) => this.receive(stream, session, done),
    });
    this.server.on('error', () => undefined);
  }

  /** @param needsLogin false for the server of an outside recipient. */
  static async start(
    certificate: { cert: string; key: string },
    kind: RelaySettings['kind'] = 'other',
    needsLogin = true,
  ): Promise<RelayStandIn> {
    const relay = new RelayStandIn(certificate, kind, needsLogin);
    await once(relay.server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get settings(): RelaySettings {
    const { port } = this.server.server.address() as AddressInfo;
    return { kind: this.kind, host: 'localhost', port, username: this.username, password: this.password };
  }

  /** Waits for a message with this subject. */
  async arrival(subject: string): Promise<RelayedMessage> {
    return await until(`"${subject}" at the relay`, async () => {
      return this.messages.find(({ text }) => text.includes(`Subject: ${subject}\r\n`)) ?? null;
    });
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): void {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (this.mode !== 'accept') {
        this.refused += 1;
        const { responseCode, message } = FAULTS[this.mode];
        done(Object.assign(new Error(message), { responseCode }));
        return;
      }
      const { mailFrom } = session.envelope;
      const received = {
        from: mailFrom ? mailFrom.address : '',
        to: this.recipients.get(session.id) ?? [],
        text: Buffer.concat(chunks).toString('latin1'),
      };
      try {
        this.judge(received);
      } catch (error) {
        this.refused += 1;
        done(Object.assign(error as Error, { responseCode: 554 }));
        return;
      }
      this.messages.push(received);
      done();
    });
  }
}
