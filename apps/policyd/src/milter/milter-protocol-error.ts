/** The received bytes violate the milter protocol or exceed a limit. The connection is closed. */
export class MilterProtocolError extends Error {
  override readonly name = 'MilterProtocolError';
}
