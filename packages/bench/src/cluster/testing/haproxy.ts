import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { pathOf } from '../../../../../scripts/needed-programs.mjs';
import { ROOT } from '../../../../../scripts/processes.mjs';
import { Server } from '../../../../../scripts/server.mjs';

/** The configuration that operators take. */
const CONFIG = join(ROOT, 'integrations/haproxy/haproxy.cfg');

/** HAProxy with `integrations/haproxy/haproxy.cfg`, in which only the addresses are others. */
export async function startHaproxy(folder: string, nodes: { port: number; checkPort: number }[]): Promise<Server> {
  const [port, others] = [await freePort(), await freePort()];
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, withAddresses(await readFile(CONFIG, 'utf8'), port, others, nodes));
  const server = new Server({
    name: 'HAProxy',
    command: pathOf('haproxy') ?? 'haproxy',
    args: ['-db', '-f', path],
    env: {},
    logFile: join(folder, 'haproxy.log'),
    port,
    isReady: accepts,
  });
  await server.start();
  return server;
}

function withAddresses(
  config: string,
  port: number,
  others: number,
  nodes: { port: number; checkPort: number }[],
): string {
  let node = 0;
  return config
    .replaceAll('127.0.0.1:3307', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3308', `127.0.0.1:${others}`)
    .replace(/ port 9200/, '')
    .replace(/(server n\d) [\d.]+:3306 check/g, (_, name: string) => {
      const own = nodes[node++];
      return `${name} 127.0.0.1:${own?.port} check port ${own?.checkPort}`;
    });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
