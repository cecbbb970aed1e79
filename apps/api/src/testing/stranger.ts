import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a stranger sends, on how many connections, and again whenever one ends. */
export interface Attack {
  connections: number;
  bytes: Buffer;
  /** Whether it reads the responses. */
  reads: boolean;
}

/** Prints a line when the server has answered or ended a connection. */
const STRANGER = `
  import { connect } from 'node:net';
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const { port, connections, bytes, reads } = JSON.parse(Buffer.concat(parts).toString());
  const sent = Buffer.from(bytes, 'base64');
  let isTold = false;
  const tell = (text) => {
    if (!isTold) console.log(text);
    isTold = true;
  };
  const go = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('close', () => {
      tell('ended');
      go();
    });
    socket.on(reads ? 'data' : 'readable', () => tell(reads ? 'answered' : 'answered, and does not read'));
    socket.write(sent);
  };
  for (let count = 0; count < connections; count += 1) go();
  // Node ends when it reads none of its sockets.
  setInterval(() => undefined, 1_000);`;

/**
 * Ends a connection on which more than 33 requests arrive at once, as the service does. Answers the first one of
 * others, with a file where a file is asked for, after a look at the TXT records where a check of a domain is asked
 * for, and ends them then. Prints its port.
 */
const PLAIN_SERVER = `
  import { Resolver } from 'node:dns/promises';
  import { createServer } from 'node:net';
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const resolver = new Resolver();
  resolver.setServers([Buffer.concat(parts).toString()]);
  const [file, text] = [Buffer.alloc(2 ** 21), Buffer.from('{}')];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', async (part) => {
      if (part.toString().split(' HTTP/1.1').length > 34) return socket.resetAndDestroy();
      const [, domain] = /^GET [/]domains[/]([^/]+)[/]dns-check /.exec(part) ?? [];
      if (domain !== undefined) await resolver.resolveTxt(domain);
      const body = part.includes('GET /docs/') ? file : text;
      socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: ' + body.length + '\\r\\nConnection: close\\r\\n\\r\\n');
      socket.end(body, () => socket.destroy());
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** Asks one request after the other. Prints the time that 95 of 100 of the measured ones take at most, milliseconds. */
const CALLER = `
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const { url, token, calls } = JSON.parse(Buffer.concat(parts).toString());
  const took = [];
  // The first tenth is the start of this process.
  for (let call = -calls / 10; call < calls; call += 1) {
    const begun = performance.now();
    const response = await fetch(url, { headers: { Authorization: 'Bearer ' + token } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error('status ' + response.status);
    if (call >= 0) took.push(performance.now() - begun);
  }
  took.sort((left, right) => left - right);
  console.log(took[Math.floor(calls * 0.95)]);`;

/**
 * Measures requests in a process of its own, which does nothing else.
 *
 * @param calls how many, one after the other
 * @returns the time that 95 of 100 take at most, milliseconds
 * @throws Error for another answer than 200
 */
export async function slowestOfMost(url: string, token: string, calls: number): Promise<number> {
  const { program, line } = run(CALLER, JSON.stringify({ url, token, calls }));
  const [time] = await Promise.all([line, once(program, 'close')]);
  return Number(time);
}

/** A process that attacks a server on loopback. */
export class Stranger {
  private constructor(private readonly program: ChildProcess) {}

  /** Returns when the server has answered one request, or ended one connection. */
  static async start(port: number, { bytes, ...attack }: Attack): Promise<Stranger> {
    const { program, line } = run(STRANGER, JSON.stringify({ port, ...attack, bytes: bytes.toString('base64') }));
    await line;
    return new Stranger(program);
  }

  async end(): Promise<void> {
    await kill(this.program);
  }
}

/** A server that does nothing but answer, and ask a name server, in a process of its own. */
export class PlainServer {
  private constructor(
    private readonly program: ChildProcess,
    readonly port: number,
  ) {}

  /** @param nameServer as in `DNS_SERVERS` */
  static async start(nameServer: string): Promise<PlainServer> {
    const { program, line } = run(PLAIN_SERVER, nameServer);
    return new PlainServer(program, Number(await line));
  }

  async end(): Promise<void> {
    await kill(this.program);
  }
}

/** @returns the process, and the first line that it prints */
function run(text: string, input: string): { program: ChildProcess; line: Promise<string> } {
  const program = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['pipe', 'pipe', 'inherit'] });
  program.stdin.end(input);
  const ended = once(program, 'close').then(([code]) => {
    throw new Error(`A process of the test ended with exit code ${code} and said nothing`);
  });
  const line = Promise.race([once(program.stdout, 'data').then(([part]) => String(part)), ended]);
  return { program, line };
}

async function kill(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill('SIGKILL');
  await ended;
}
