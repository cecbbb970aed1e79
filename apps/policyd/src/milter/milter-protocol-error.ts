/** The bytes received are not the milter protocol, or exceed a limit; the connection is closed. */
export class MilterProtocolError extends Error {
  override readonly name = 'MilterProtocolError';
}
