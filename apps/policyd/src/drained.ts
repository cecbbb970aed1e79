import type { Socket } from 'node:net';

/** Resolves when the socket's buffer is empty again, or the socket is closed. */
export async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });
}
