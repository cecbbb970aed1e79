import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import type { ListenOptions, Server } from 'node:net';
import { freeSocketPath } from './free-socket-path.js';

/** Postfix may connect with all its processes at once. */
const BACKLOG = 2_048;
const OWNER_AND_GROUP = 0o660;

/**
 * Listens on `{ host, port }` or on the unix socket `{ path }`. Whoever reaches the address speaks for every login. So
 * only the user and the group of this process may connect to a unix socket; the unit runs it with Postfix's group.
 *
 * @throws Error when the address is not available.
 */
export async function listen(server: Server, address: Pick<ListenOptions, 'host' | 'port' | 'path'>): Promise<void> {
  if (address.path !== undefined) await freeSocketPath(address.path);
  await once(server.listen({ ...address, backlog: BACKLOG }), 'listening');
  if (address.path !== undefined) await chmod(address.path, OWNER_AND_GROUP);
}
