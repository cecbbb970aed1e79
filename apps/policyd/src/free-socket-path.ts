import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Removes the unix socket of a process that was killed. Does not remove a socket that a process listens on, nor any
 * other file.
 */
export async function freeSocketPath(path: string): Promise<void> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') await rm(path, { force: true });
  } finally {
    socket.destroy();
  }
}
