import { LineSocket } from './line-socket.js';
import type { MailRig } from './mail-rig.js';

export const SESSION_KINDS = ['IMAP', 'IMAP in IDLE', 'POP3'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** A session of a mail program that stays open. */
export class OpenSession {
  private constructor(
    private readonly kind: SessionKind,
    private readonly socket: LineSocket,
  ) {}

  /** Logs in, and opens the inbox. @throws Error with the server's reply when the login is refused. */
  static async open(rig: MailRig, kind: SessionKind, user: string, password: string): Promise<OpenSession> {
    const port = kind === 'POP3' ? rig.ports.pop3s : rig.ports.imaps;
    const session = new OpenSession(kind, await LineSocket.open(port, rig.certificate.cert));
    await session.socket.readLine();
    if (kind === 'POP3') {
      await session.ask(`USER ${user}`, '+OK');
      await session.ask(`PASS ${password}`, '+OK');
      return session;
    }
    await session.ask(`a LOGIN "${user}" "${password}"`, 'a OK');
    await session.ask('b SELECT INBOX', 'b OK');
    if (kind === 'IMAP in IDLE') await session.ask('c IDLE', '+ idling');
    return session;
  }

  /** Returns when the server has ended the session. */
  async ended(): Promise<void> {
    for (;;) {
      try {
        await this.socket.readLine();
      } catch (error) {
        if (error instanceof Error && /closed the connection|ECONNRESET/.test(error.message)) return;
        throw error;
      }
    }
  }

  /** Shows that the session goes on. @throws Error when it has ended. */
  async goesOn(): Promise<void> {
    if (this.kind === 'POP3') await this.ask('NOOP', '+OK');
    else if (this.kind === 'IMAP') await this.ask('d NOOP', 'd OK');
    else {
      await this.ask('DONE', 'c OK');
      await this.ask('c IDLE', '+ idling');
    }
  }

  close(): void {
    this.socket.close();
  }

  private async ask(command: string, expected: string): Promise<void> {
    this.socket.write(`${command}\r\n`);
    for (;;) {
      const line = await this.socket.readLine();
      if (line.startsWith(expected)) return;
      // Untagged lines of IMAP precede the reply.
      if (!line.startsWith('* ') || line.startsWith('* BYE')) throw new Error(`"${command}" was answered "${line}"`);
    }
  }
}
