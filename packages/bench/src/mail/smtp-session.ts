import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withTimeout } from '@mailstead/core/with-timeout';

/** Long: a busy Postfix delays single answers by seconds. */
const ANSWER_WITHIN_MS = 60_000;

export interface SmtpTarget {
  port: number;
  /** The address that has logged in (XCLIENT LOGIN); null on port 25. */
  login: string | null;
  /** The client's address on loopback. */
  localAddress: string;
}

export interface Envelope {
  from: string;
  to: readonly string[];
  /** Header and body, without the final dot. */
  text: string;
}

/** One SMTP session that waits for every reply, as most mail programs do. */
export class SmtpSession {
  private text = '';
  private wake: ((failure: Error | null) => void) | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      if (/^\d{3} .*\r\n$/m.test(this.text)) this.wake?.(null);
    });
    socket.on('close', () => this.wake?.(new Error('The mail server closed the session')));
    socket.on('error', (error) => this.wake?.(error));
  }

  static async open({ port, login, localAddress }: SmtpTarget): Promise<SmtpSession> {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    const session = new SmtpSession(socket);
    await session.expect(null, '220');
    await session.expect('EHLO client.example', '250');
    if (login === null) return session;
    await session.expect(`XCLIENT LOGIN=${login} ADDR=192.0.2.1`, '220');
    await session.expect('EHLO client.example', '250');
    return session;
  }

  /** Sends one message. @throws Error when the mail server refuses any part of it. */
  async send({ from, to, text }: Envelope): Promise<void> {
    await this.expect(`MAIL FROM:<${from}>`, '250');
    for (const recipient of to) await this.expect(`RCPT TO:<${recipient}>`, '250');
    await this.expect('DATA', '354');
    await this.expect(`${text}\r\n.`, '250');
  }

  async quit(): Promise<void> {
    await this.expect('QUIT', '221');
    this.socket.destroy();
  }

  private async expect(line: string | null, code: string): Promise<void> {
    this.text = '';
    const replied = new Promise<void>((resolve, reject) => {
      this.wake = (failure) => (failure === null ? resolve() : reject(failure));
    });
    if (line !== null) this.socket.write(`${line}\r\n`);
    await withTimeout(replied, ANSWER_WITHIN_MS, () => {
      throw new Error(`The mail server did not answer ${line?.slice(0, 100) ?? 'the connection'}`);
    });
    this.wake = null;
    if (!this.text.startsWith(code)) throw new Error(`The mail server answered ${this.text.trim()}`);
  }
}
