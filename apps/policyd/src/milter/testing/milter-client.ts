import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { COMMAND, packetOf, REPLY, STEP } from '../milter-protocol.js';
import { type MilterPacket, PacketReader } from '../read-packets.js';

/** Postfix's offer: version 6, every action and step. */
const OFFER = words(6, 0x1ff, 0x1f_ffff);

export interface ClientMessage {
  /** Null for a message without a login. */
  login: string | null;
  /** The envelope sender; empty for the null sender. */
  sender?: string;
  /** Pairs of name and value. */
  headers: readonly (readonly [string, string | Buffer])[];
  recipients?: readonly string[];
  body?: string;
  queueId?: string;
  /** The port of the SMTP client, whose address is 192.0.2.1. */
  clientPort?: number;
}

export interface MilterOutcome {
  /** The SMTP reply, or null when the message may pass. */
  reply: string | null;
  /** The headers to remove, as `name#occurrence`. */
  removed: string[];
  /** The fields to add, as the mail server writes them. */
  added: string[];
  /** The new envelope sender; absent when it stays. */
  sender?: string;
}

/** The mail server's side of the milter protocol. */
export class MilterClient {
  private readonly packets: AsyncGenerator<MilterPacket>;
  /** The space that this mail server writes after the colon of an added field. */
  private space = ' ';

  private constructor(readonly socket: Socket) {
    this.packets = packetsOf(socket);
  }

  /** Connects without sending anything. */
  static async connect(to: NetConnectOpts): Promise<MilterClient> {
    const socket = connect(to);
    await once(socket, 'connect');
    // `next` returns null after a connection error.
    socket.on('error', () => undefined);
    return new MilterClient(socket);
  }

  /** Connects and negotiates. */
  static async open(to: NetConnectOpts): Promise<MilterClient> {
    const client = await MilterClient.connect(to);
    await client.offer();
    return client;
  }

  /** @returns the data of the reply to an offer. */
  async offer(offer: Buffer = OFFER): Promise<Buffer> {
    this.write(packetOf(COMMAND.negotiate, offer));
    const agreed = Buffer.from((await this.next())?.data ?? []);
    if (agreed.length >= 12) this.space = (agreed.readUInt32BE(8) & STEP.blankBeforeValue) === 0 ? ' ' : '';
    return agreed;
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Returns the next packet; null when the server closed the connection. */
  async next(): Promise<MilterPacket | null> {
    const { value, done } = await this.packets.next().catch(() => ({ value: null, done: true as const }));
    return done === true ? null : value;
  }

  /** Tells that the next packets are of a new SMTP session on this connection. */
  beginSession(): void {
    this.write(packetOf(COMMAND.quitForNewConnection));
  }

  /** Tells the client of the session. @returns the letter of the reply */
  async announce(address: string, port: number): Promise<string | undefined> {
    const family = Buffer.from([address.includes(':') ? 0x36 : 0x34, Math.floor(port / 256), port % 256]);
    const data = Buffer.concat([Buffer.from('client.test\0'), family, Buffer.from(`${address}\0`)]);
    this.write(packetOf(COMMAND.connect, data));
    return (await this.next())?.letter;
  }

  async send(message: ClientMessage): Promise<MilterOutcome> {
    this.write(bytesOf(message));
    return await this.outcome();
  }

  /** Reads the reply to a message that was written. @throws Error when the server closed the connection. */
  async outcome(): Promise<MilterOutcome> {
    const removed: string[] = [];
    const added: string[] = [];
    let sender: string | undefined;
    const outcome = (reply: string | null): MilterOutcome => ({
      reply,
      removed,
      added,
      ...(sender === undefined ? {} : { sender }),
    });
    for (;;) {
      const packet = await this.next();
      if (packet === null) throw new Error('the milter closed the connection');
      const { letter, data } = packet;
      if (letter === REPLY.continue) return outcome(null);
      if (letter === REPLY.replyCode) return outcome(data.toString('latin1', 0, data.length - 1).replaceAll('%%', '%'));
      if (letter === REPLY.changeSender) {
        sender = data.toString('latin1', 0, data.length - 1);
        continue;
      }
      if (letter === REPLY.addHeader) {
        const [name, value] = data.toString('latin1').split('\0');
        added.push(`${name}:${this.space}${value}`);
        continue;
      }
      if (letter !== REPLY.changeHeader || data.toString('latin1', data.length - 2) !== '\0\0') {
        throw new Error(`an unexpected packet ${letter}`);
      }
      removed.push(`${data.toString('latin1', 4, data.length - 2)}#${data.readUInt32BE(0)}`);
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Returns the packets of a message that Postfix sends after the negotiation. */
export function bytesOf({
  login,
  sender = 'envelope@acme.test',
  headers,
  recipients,
  body = '',
  queueId = '4XyZ',
  clientPort,
}: ClientMessage): Buffer {
  const client = clientPort === undefined ? [] : ['{client_addr}', '192.0.2.1', '{client_port}', String(clientPort)];
  return Buffer.concat([
    macroPacket(COMMAND.mail, [...(login === null ? [] : ['{auth_authen}', login]), '{mail_addr}', sender, ...client]),
    packetOf(COMMAND.mail, Buffer.from(`<${sender}>\0`)),
    ...(recipients ?? ['someone@out.test']).flatMap((recipient) => [
      macroPacket(COMMAND.rcpt, ['{rcpt_addr}', recipient]),
      packetOf(COMMAND.rcpt, Buffer.from(`<${recipient}>\0`)),
    ]),
    ...headers.map(([name, value]) => headerPacket(name, value)),
    ...(body === '' ? [] : [packetOf(COMMAND.body, Buffer.from(body))]),
    macroPacket(COMMAND.endOfMessage, ['i', queueId, 'j', 'mx.acme.test']),
    packetOf(COMMAND.endOfMessage),
  ]);
}

async function* packetsOf(socket: Socket): AsyncGenerator<MilterPacket> {
  const reader = new PacketReader(1_048_576);
  for await (const chunk of socket) yield* reader.read(chunk as Buffer);
}

export function macroPacket(step: string, pairs: readonly string[]): Buffer {
  return packetOf(COMMAND.macro, Buffer.from(step + pairs.map((text) => `${text}\0`).join('')));
}

export function headerPacket(name: string, value: string | Buffer): Buffer {
  return packetOf(
    COMMAND.header,
    Buffer.concat([Buffer.from(`${name}\0`, 'latin1'), Buffer.from(value), Buffer.alloc(1)]),
  );
}

export function words(...numbers: number[]): Buffer {
  const buffer = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) buffer.writeUInt32BE(number, index * 4);
  return buffer;
}
