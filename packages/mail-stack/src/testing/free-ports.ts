import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Linux uses ports from 32,768 for outgoing connections. Ports below cannot be taken by one before the server listens.
 */
const LOWEST_PORT = 10_081;
const HIGHEST_PORT = 32_000;

/** Returns different free loopback ports. All are bound at the same time while they are chosen. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, holdFreePort));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => await once(server.close(), 'close')));
  return ports;
}

async function holdFreePort(): Promise<Server> {
  for (;;) {
    const server = createServer().listen(randomInt(LOWEST_PORT, HIGHEST_PORT), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
