import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A key and a certificate for a name, signed by itself. */
export interface Certificate {
  key: string;
  cert: string;
  /** The file with the certificate. */
  file: string;
  remove: () => Promise<void>;
}

/** Makes a certificate for the names, as `DNS:localhost`. */
export async function makeCertificate(names: string): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-certificate-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=mailstead.example', '-addext', `subjectAltName=${names}`, '-days', '2'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  await run('openssl', ['req', '-x509', ...key, '-out', file, ...subject]);
  const remove = () => rm(folder, { recursive: true, force: true });
  return { key: await readFile(keyFile, 'utf8'), cert: await readFile(file, 'utf8'), file, remove };
}

/** A server on loopback that does to every connection what a test says. */
export class BrokenServer {
  private readonly sockets = new Set<Socket>();
  /** What the connections sent. */
  received = '';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /**
   * @param answer is called once for each connection, with its first bytes
   * @param certificate the server speaks TLS with it
   */
  static async start(
    answer: (socket: Socket, request: string) => void,
    certificate?: Certificate,
  ): Promise<BrokenServer> {
    const serve = (socket: Socket): void => {
      started.sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => started.sockets.delete(socket));
      socket.once('data', (bytes: Buffer) => {
        started.received += bytes.toString();
        answer(socket, bytes.toString());
      });
    };
    const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = new BrokenServer(
      server,
      certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    );
    return started;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
