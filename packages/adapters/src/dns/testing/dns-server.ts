import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

type RecordType = 'TXT' | 'CNAME' | 'MX';
/** `drop` never answers, `truncate` makes the client ask again over TCP. */
export type DnsFault = 'drop' | 'servfail' | 'refused' | 'truncate';

const RCODES = { servfail: 2, nxdomain: 3, refused: 5 };
const MAX_CNAMES = 8;

/**
 * A name server on loopback, UDP and TCP on one port, whose records and faults a test sets. Names that have no record
 * of any type are NXDOMAIN, names that have another type NODATA; CNAMEs are followed as a recursive server does.
 */
export class DnsServer {
  private readonly records = new Map<string, Answer[]>();
  private readonly faults = new Map<string, DnsFault>();
  private readonly connections = new Set<Socket>();
  /** Every question that arrived, like `udp TXT example.com`. */
  readonly questions: string[] = [];

  private constructor(
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
    readonly port: number,
  ) {
    udp.on('message', (message, client) => {
      const answer = this.answer(decode(message), 'udp');
      if (answer !== null) udp.send(encode(answer), client.port, client.address);
    });
    tcp.on('connection', (connection) => this.serve(connection));
  }

  static async start(): Promise<DnsServer> {
    for (;;) {
      const udp = createSocket('udp4');
      await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
      const { port } = udp.address();
      const tcp = createServer();
      const free = await new Promise<boolean>((resolve) => {
        tcp.once('error', () => resolve(false));
        tcp.listen(port, '127.0.0.1', () => resolve(true));
      });
      if (free) return new DnsServer(udp, tcp, port);
      udp.close();
    }
  }

  /** As `NodeDnsResolver` and `DNS_SERVERS` take it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Each value is one record; the strings of a list are the chunks of one TXT record. */
  txt(name: string, ...values: (string | string[])[]): this {
    return this.set(
      'TXT',
      name,
      values.map((data) => ({ type: 'TXT', name, ttl: 0, data })),
    );
  }

  cname(name: string, target: string): this {
    return this.set('CNAME', name, [{ type: 'CNAME', name, ttl: 0, data: target }]);
  }

  mx(name: string, ...exchanges: { exchange: string; preference: number }[]): this {
    return this.set(
      'MX',
      name,
      exchanges.map((data) => ({ type: 'MX', name, ttl: 0, data })),
    );
  }

  /** Breaks one record, or heals it with null; `*` instead of a name breaks everything. */
  fault(type: RecordType, name: string, fault: DnsFault | null): this {
    const key = `${type} ${name}`;
    if (fault === null) this.faults.delete(key);
    else this.faults.set(key, fault);
    return this;
  }

  async close(): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    await new Promise<void>((resolve) => this.udp.close(() => resolve()));
    await new Promise<void>((resolve) => this.tcp.close(() => resolve()));
  }

  private set(type: RecordType, name: string, answers: Answer[]): this {
    this.records.set(`${type} ${name.toLowerCase()}`, answers);
    return this;
  }

  private serve(connection: Socket): void {
    this.connections.add(connection);
    connection.on('close', () => this.connections.delete(connection));
    connection.on('error', () => connection.destroy());
    let received = Buffer.alloc(0);
    connection.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const answer = this.answer(decode(received.subarray(2, end)), 'tcp');
        received = received.subarray(end);
        if (answer !== null) connection.write(streamEncode(answer));
      }
    });
  }

  private answer(query: Packet, carrier: 'udp' | 'tcp'): Packet | null {
    const question = query.questions?.[0];
    const name = question?.name.toLowerCase() ?? '';
    this.questions.push(`${carrier} ${question?.type} ${name}`);
    const fault = this.faults.get(`${question?.type} ${name}`) ?? this.faults.get(`${question?.type} *`);
    const reply: Packet = { type: 'response', id: query.id ?? 0, questions: query.questions ?? [] };
    if (fault === 'drop') return null;
    if (fault === 'servfail' || fault === 'refused') return { ...reply, flags: RCODES[fault] };
    if (fault === 'truncate' && carrier === 'udp') return { ...reply, flags: TRUNCATED_RESPONSE };
    const answers = this.find(question?.type ?? '', name);
    const known = answers.length > 0 || [...this.records.keys()].some((key) => key.endsWith(` ${name}`));
    return known ? { ...reply, answers } : { ...reply, flags: RCODES.nxdomain };
  }

  private find(type: string, asked: string): Answer[] {
    const answers: Answer[] = [];
    let name = asked;
    for (let hops = 0; hops < MAX_CNAMES; hops += 1) {
      const found = this.records.get(`${type} ${name}`);
      if (found !== undefined) return [...answers, ...found];
      const [alias] = this.records.get(`CNAME ${name}`) ?? [];
      if (alias?.type !== 'CNAME') return answers;
      answers.push(alias);
      name = alias.data.toLowerCase();
    }
    return answers;
  }
}
