// @ts-check
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Linux uses ports from 32,768 for outgoing connections. Ports below cannot be taken by one before the server listens.
 * `fetch` refuses 10080, which is the highest of the ports that it refuses.
 */
export const LOWEST_PORT = 10_081;
export const HIGHEST_PORT = 32_000;

/** Returns a loopback port that is free now. */
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
