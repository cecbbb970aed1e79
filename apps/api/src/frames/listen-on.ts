import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';

const OWNER_AND_GROUP = 0o660;

/**
 * Listens on an address. Only the user and the group of this process may connect to a unix socket.
 *
 * @throws Error when the address is not available
 */
export async function listenOn(server: Server, address: ListenAddress): Promise<void> {
  if ('path' in address) await removeUnused(address.path);
  server.listen(address);
  await once(server, 'listening');
  if ('path' in address) await chmod(address.path, OWNER_AND_GROUP);
}

/** Removes the unix socket of a process that was killed; no other file, and none on which a process listens. */
async function removeUnused(path: string): Promise<void> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') await rm(path, { force: true });
  } finally {
    socket.destroy();
  }
}
