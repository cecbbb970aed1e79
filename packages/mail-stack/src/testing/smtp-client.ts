import { LineSocket } from './line-socket.js';

export interface SmtpReply {
  code: number;
  text: string;
}

export interface TestMessage {
  /** The envelope's sender; empty for the null sender. */
  from: string;
  to: string | string[];
  subject?: string;
  /** The address in the header From; the envelope's sender by default. */
  headerFrom?: string;
  headers?: string[];
  body?: string;
  /** The whole message, one character for each byte; replaces the generated header and body. */
  text?: string;
  /** The SIZE parameter of MAIL FROM. */
  size?: number;
  /** Requests delivery notices (RFC 3461): RET for the message, NOTIFY for each recipient. */
  notices?: { ret: 'FULL' | 'HDRS'; notify: string };
}

export interface SentMessage {
  /** The first refusal, or the reply at the end of the message. */
  reply: SmtpReply;
  /** One reply for each recipient, in order; empty when MAIL FROM was refused. */
  recipients: SmtpReply[];
}

/** An SMTP client that shows every reply. */
export class SmtpClient {
  private constructor(private readonly connection: LineSocket) {}

  /**
   * @param localAddress the client's address; another host by default.
   * @param ca as for `LineSocket.open`: for a port with TLS from the start.
   */
  static async connect(port: number, localAddress?: string, ca: string | null = null): Promise<SmtpClient> {
    const client = new SmtpClient(await LineSocket.open(port, ca, localAddress));
    await client.readReply();
    await client.command('EHLO client.test');
    return client;
  }

  async startTls(ca: string): Promise<void> {
    const reply = await this.command('STARTTLS');
    if (reply.code !== 220) throw new Error(`STARTTLS was refused: ${reply.text}`);
    await this.connection.upgrade(ca);
    await this.command('EHLO client.test');
  }

  async login(user: string, password: string): Promise<SmtpReply> {
    return await this.command(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`);
  }

  async command(line: string): Promise<SmtpReply> {
    this.write(`${line}\r\n`);
    return await this.readReply();
  }

  /** Sends text without waiting for a reply. */
  write(text: string): void {
    this.connection.write(text);
  }

  /** Sends one message to the accepted recipients. After a refusal, the session is ready for the next message. */
  async send(message: TestMessage): Promise<SentMessage> {
    const { size, notices } = message;
    const sender = await this.command(
      `MAIL FROM:<${message.from}>${size ? ` SIZE=${size}` : ''}${notices ? ` RET=${notices.ret}` : ''}`,
    );
    if (sender.code !== 250) return { reply: sender, recipients: [] };
    const recipients: SmtpReply[] = [];
    for (const recipient of [message.to].flat()) {
      recipients.push(await this.command(`RCPT TO:<${recipient}>${notices ? ` NOTIFY=${notices.notify}` : ''}`));
    }
    const refusal = recipients.find(({ code }) => code !== 250);
    if (refusal !== undefined && recipients.every(({ code }) => code !== 250)) {
      await this.command('RSET');
      return { reply: refusal, recipients };
    }
    const data = await this.command('DATA');
    if (data.code !== 354) {
      await this.command('RSET');
      return { reply: data, recipients };
    }
    return { reply: await this.command(`${textOf(message)}\r\n.`), recipients };
  }

  async quit(): Promise<void> {
    await this.command('QUIT');
    this.close();
  }

  close(): void {
    this.connection.close();
  }

  /** Reads the next reply, to commands that were written together. */
  async readReply(): Promise<SmtpReply> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.connection.readLine();
      lines.push(line.slice(4));
      if (line[3] !== '-') return { code: Number(line.slice(0, 3)), text: lines.join('\n') };
    }
  }
}

function textOf(message: TestMessage): string {
  const lines = message.text?.split('\r\n') ?? [
    `From: <${message.headerFrom ?? message.from}>`,
    `To: <${[message.to].flat().join('>, <')}>`,
    `Subject: ${message.subject ?? 'test'}`,
    ...(message.headers ?? []),
    '',
    ...(message.body ?? 'Hello').split('\n'),
  ];
  return lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n');
}
