/** Bytes before each frame: the number of its bytes, unsigned, with the most significant byte first. */
export const LENGTH_BYTES = 4;

/** The longest request: a body as long as by HTTP (1 MiB), and what is around it. */
export const MAX_REQUEST_BYTES = 1_048_576 + 1_024;

/** The routes that the policy daemon may call by frames; all others by HTTP only. */
export const FRAMED_PATHS = ['/outbound/looks', '/outbound/increments'] as const;

/** Returns the bytes of a frame: its length and a JSON text. */
export function frameOf(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(json, LENGTH_BYTES);
  return frame;
}
