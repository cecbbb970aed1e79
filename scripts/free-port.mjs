// @ts-check
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { TEST_TIMEOUT_MS } from './test-timeout.mjs';

/**
 * Linux uses ports from 32,768 for outgoing connections. Ports below cannot be taken by one before the server listens.
 * `fetch` refuses 10080, which is the highest of the ports that it refuses.
 */
export const LOWEST_PORT = 10_081;
export const HIGHEST_PORT = 32_000;

/**
 * The address whose UDP port says that the TCP port of the same number is chosen. Linux has all of 127.0.0.0/8; no
 * server of a test uses this one.
 */
const RESERVING = '127.83.77.1';

/**
 * Returns a loopback port that is free now. Another process that chooses a port gets a different one, until the test
 * that starts a server on this port has ended, or this process has.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (!(await reserve(port))) continue;
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

/**
 * Returns different free loopback ports.
 * @param {number} count
 */
export function freePorts(count) {
  return Promise.all(Array.from({ length: count }, freePort));
}

/**
 * Whether nobody else has chosen the port. The kernel ends a reservation with its process. Where the address is missing
 * (not on Linux), there are no reservations.
 * @param {number} port
 */
export async function reserve(port) {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: RESERVING, exclusive: true });
  try {
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE';
  }
  setTimeout(() => socket.close(), TEST_TIMEOUT_MS).unref();
  return true;
}
