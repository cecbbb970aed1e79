import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports of the loopback interface that nobody listens on now; held together while choosing, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => await once(server.close(), 'close')));
  return ports;
}
