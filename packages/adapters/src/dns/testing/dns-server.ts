import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

type RecordType = 'A' | 'AAAA' | 'TXT' | 'CNAME' | 'DNAME' | 'MX' | 'NS' | 'SOA' | 'PTR';
/**
 * `drop` sends no answer. `truncate` sets the TC bit in UDP answers, so that the client repeats the question over TCP.
 */
export type DnsFault = 'drop' | 'servfail' | 'refused' | 'truncate';

const RCODES = { servfail: 2, nxdomain: 3, refused: 5 };
const MAX_CNAMES = 8;

/**
 * A name server on loopback, with UDP and TCP on one port. Tests set its records and faults. It returns NXDOMAIN for a
 * name without any record, and NODATA for a name with records of other types only. It follows CNAMEs and DNAMEs like a
 * recursive server.
 */
export class DnsServer {
  private readonly records = new Map<string, Answer[]>();
  private readonly faults = new Map<string, DnsFault>();
  private readonly connections = new Set<Socket>();
  /** All questions received, like `udp TXT example.com`. */
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

  /** In the format of `NodeDnsResolverOptions.servers` and `DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Each value is one record. A list is one TXT record of several strings. */
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

  dname(name: string, target: string): this {
    return this.set('DNAME', name, [{ type: 'DNAME', name, ttl: 0, data: target }]);
  }

  a(name: string, ...addresses: string[]): this {
    return this.set(
      'A',
      name,
      addresses.map((data) => ({ type: 'A', name, ttl: 0, data })),
    );
  }

  aaaa(name: string, ...addresses: string[]): this {
    return this.set(
      'AAAA',
      name,
      addresses.map((data) => ({ type: 'AAAA', name, ttl: 0, data })),
    );
  }

  mx(name: string, ...exchanges: { exchange: string; preference: number }[]): this {
    return this.set(
      'MX',
      name,
      exchanges.map((data) => ({ type: 'MX', name, ttl: 0, data })),
    );
  }

  ns(name: string, ...hosts: string[]): this {
    return this.set(
      'NS',
      name,
      hosts.map((data) => ({ type: 'NS', name, ttl: 0, data })),
    );
  }

  ptr(name: string, ...names: string[]): this {
    return this.set(
      'PTR',
      name,
      names.map((data) => ({ type: 'PTR', name, ttl: 0, data })),
    );
  }

  soa(name: string, mname: string): this {
    const data = { mname, rname: `hostmaster.${name}`, serial: 1, refresh: 60, retry: 60, expire: 60, minimum: 60 };
    return this.set('SOA', name, [{ type: 'SOA', name, ttl: 0, data }]);
  }

  withdraw(type: RecordType, ...names: string[]): this {
    for (const name of names) this.records.delete(`${type} ${name.toLowerCase()}`);
    return this;
  }

  /** Sets the fault of one record; null removes it. The name `*` sets it for all names of the type. */
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
      const aliases = this.records.get(`CNAME ${name}`) ?? this.aliasBelowDname(name);
      const alias = aliases.at(-1);
      if (alias?.type !== 'CNAME') return answers;
      answers.push(...aliases);
      if (type === 'CNAME') return answers;
      name = alias.data.toLowerCase();
    }
    return answers;
  }

  /** The DNAME at a name above, and the CNAME that a server makes of it for the name (RFC 6672 section 3.1). */
  private aliasBelowDname(name: string): Answer[] {
    const labels = name.split('.');
    for (let count = 1; count < labels.length; count += 1) {
      const [dname] = this.records.get(`DNAME ${labels.slice(count).join('.')}`) ?? [];
      if (dname?.type !== 'DNAME') continue;
      const data = `${labels.slice(0, count).join('.')}.${dname.data}`;
      return [dname, { type: 'CNAME', name, ttl: 0, data }];
    }
    return [];
  }
}
