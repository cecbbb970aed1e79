import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { ROOT } from '../../../../../scripts/processes.mjs';

const SCRIPT = join(ROOT, 'integrations/haproxy/galera-health');

/** Starts `integrations/haproxy/galera-health` for each connection, as systemd does, for one node of the cluster. */
export class HealthCheck {
  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  static async start(databaseUrl: string): Promise<HealthCheck> {
    const { port: databasePort, username, password } = new URL(databaseUrl);
    const options = ['--no-defaults', '--protocol=tcp', '--host=127.0.0.1', `--port=${databasePort}`];
    const port = await freePort();
    const server = createServer({ allowHalfOpen: true }, (socket) =>
      answer(socket, [...options, `--user=${username}`, `--password=${password}`]),
    );
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return new HealthCheck(port, server);
  }

  stop(): void {
    this.server.close();
  }
}

function answer(socket: Socket, options: string[]): void {
  const script = spawn(SCRIPT, options, { stdio: ['pipe', 'pipe', 'ignore'] });
  // HAProxy may have closed the connection, or the script its input.
  for (const stream of [socket, script.stdin, script.stdout]) stream.on('error', () => undefined);
  script.on('error', () => socket.destroy());
  socket.pipe(script.stdin);
  script.stdout.pipe(socket);
}
