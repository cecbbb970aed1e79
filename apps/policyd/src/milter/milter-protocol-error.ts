/** What came is not the milter protocol, or more of it than is taken: the connection cannot go on. */
export class MilterProtocolError extends Error {
  override readonly name = 'MilterProtocolError';
}
