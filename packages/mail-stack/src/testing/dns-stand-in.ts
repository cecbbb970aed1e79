import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TXT = 16;
const [RESPONSE, NO_SUCH_NAME] = [0x84_00, 0x84_03];

/** A name server on the loopback interface. It knows the TXT records that a test gives it, and no other name. */
export class DnsStandIn {
  private constructor(
    private readonly socket: Socket,
    private readonly records: ReadonlyMap<string, string>,
  ) {
    socket.on('message', (query, { port, address }) => socket.send(this.answer(query), port, address));
  }

  /** @param records the text of each name; at most 255 characters each */
  static async start(records: Record<string, string>): Promise<DnsStandIn> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsStandIn(socket, new Map(Object.entries(records)));
  }

  /** `host:port` */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(query: Buffer): Buffer {
    const { name, end } = questionOf(query);
    const text = this.records.get(name.toLowerCase());
    const isTxt = query.readUInt16BE(end) === TXT;
    const answers = text === undefined || !isTxt ? [] : [txtRecord(text)];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(text === undefined ? NO_SUCH_NAME : RESPONSE, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...answers]);
  }
}

/** Returns the name of the only question, and the place of its type. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** An answer for the name of the question. */
function txtRecord(text: string): Buffer {
  const data = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, TXT, 0, 1, 0, 0, 0, 0, 0, data.length + 1, data.length]);
  return Buffer.concat([head, data]);
}
