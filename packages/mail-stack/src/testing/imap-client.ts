import { LineSocket } from './line-socket.js';

export interface ImapReply {
  ok: boolean;
  /** The text after OK, NO or BAD. */
  text: string;
  /** The untagged lines before it; a literal's bytes are part of its line. */
  lines: string[];
}

/** An IMAP client that shows every reply. */
export class ImapClient {
  private sequence = 0;

  private constructor(private readonly connection: LineSocket) {}

  /** Connects in TLS. @param localAddress the client's address; another host by default. */
  static async connect(port: number, ca: string, localAddress?: string): Promise<ImapClient> {
    const client = new ImapClient(await LineSocket.open(port, ca, localAddress));
    await client.connection.readLine();
    return client;
  }

  async login(user: string, password: string): Promise<ImapReply> {
    return await this.command(`LOGIN "${user}" "${password}"`);
  }

  /** Returns the subjects of a folder's messages, oldest first. */
  async subjects(folder = 'INBOX'): Promise<string[]> {
    const selected = await this.command(`SELECT "${folder}"`);
    if (!selected.ok || selected.lines.includes('* 0 EXISTS')) return [];
    const fetched = await this.command('FETCH 1:* BODY.PEEK[HEADER.FIELDS (SUBJECT)]');
    return fetched.lines.flatMap((line) => /Subject: (.*)\r\n/.exec(line)?.[1] ?? []);
  }

  /** Stores a message, with `receivedAt` as its date unless null. */
  async append(folder: string, message: string, receivedAt: Date | null = null): Promise<ImapReply> {
    const date = receivedAt === null ? '' : `"${imapDate(receivedAt)}" `;
    return await this.command(`APPEND "${folder}" ${date}{${Buffer.byteLength(message, 'latin1')}+}\r\n${message}`);
  }

  async command(text: string): Promise<ImapReply> {
    this.sequence += 1;
    const tag = `a${this.sequence} `;
    this.connection.write(`${tag}${text}\r\n`);
    const lines: string[] = [];
    for (;;) {
      const line = await this.readWithLiterals();
      if (line.startsWith(tag)) {
        const [status = '', ...rest] = line.slice(tag.length).split(' ');
        return { ok: status === 'OK', text: rest.join(' '), lines };
      }
      lines.push(line);
    }
  }

  /** Begins to wait for new mail. @returns the server's first line. */
  async idle(): Promise<string> {
    this.connection.write('idle IDLE\r\n');
    return await this.connection.readLine();
  }

  /** Returns the next line that the server sends by itself. */
  async nextLine(): Promise<string> {
    return await this.connection.readLine();
  }

  async logout(): Promise<void> {
    await this.command('LOGOUT');
    this.connection.close();
  }

  close(): void {
    this.connection.close();
  }

  private async readWithLiterals(): Promise<string> {
    let line = await this.connection.readLine();
    for (let literal = /\{(\d+)\}$/.exec(line); literal !== null; literal = /\{(\d+)\}$/.exec(line)) {
      line = `${line}\r\n${await this.connection.readBytes(Number(literal[1]))}${await this.connection.readLine()}`;
    }
    return line;
  }
}

function imapDate(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] =
    /\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}-${month}-${year} ${time} +0000`;
}
