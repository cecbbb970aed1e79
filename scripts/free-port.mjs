// @ts-check
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Linux gives the ports from 32,768 on to outgoing connections, which could take one before its server does. */
export const LOWEST_PORT = 10_000;
export const HIGHEST_PORT = 32_000;

/** Returns a loopback port that nobody listens on at this moment. */
export async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') continue;
      throw error;
    }
    await once(server.close(), 'close');
    return port;
  }
}
