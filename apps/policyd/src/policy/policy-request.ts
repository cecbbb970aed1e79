/** The attributes of one request, by name (Postfix SMTPD_POLICY_README). */
export type PolicyRequest = Readonly<Record<string, string>>;

const MAX_REQUEST_BYTES = 65_536;
const MAX_ATTRIBUTES = 100;
const LINE_FEED = 0x0a;

/** The received bytes are not a policy request. */
export class PolicyProtocolError extends Error {}

/** Assembles the requests of one connection: lines `name=value`, ended by an empty line. */
export class PolicyRequestReader {
  private rest: Buffer = Buffer.alloc(0);
  private searched = 0;

  /** True while a request is incomplete. */
  get isInside(): boolean {
    return this.rest.length > 0;
  }

  /**
   * @returns the requests that are complete with this chunk.
   * @throws PolicyProtocolError; the connection must then be closed.
   */
  read(chunk: Buffer): PolicyRequest[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const requests: PolicyRequest[] = [];
    for (let end = this.endOfRequest(); end !== -1; end = this.endOfRequest()) {
      requests.push(parse(this.rest.subarray(0, end).toString('utf8')));
      this.rest = this.rest.subarray(end + 1);
    }
    if (this.rest.length > MAX_REQUEST_BYTES) throw new PolicyProtocolError('a request without an end');
    return requests;
  }

  /** Returns the position of the line feed that ends the first request, or -1. Searches each byte once. */
  private endOfRequest(): number {
    if (this.rest[0] === LINE_FEED) throw new PolicyProtocolError('an empty request');
    const found = this.rest.indexOf('\n\n', Math.max(0, this.searched - 1));
    this.searched = found === -1 ? this.rest.length : 0;
    return found === -1 ? -1 : found + 1;
  }
}

function parse(text: string): PolicyRequest {
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > MAX_ATTRIBUTES) throw new PolicyProtocolError('too many attributes');
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const equals = line.indexOf('=');
    if (equals < 1) throw new PolicyProtocolError('a line that is no attribute');
    attributes[line.slice(0, equals)] = line.slice(equals + 1);
  }
  if (attributes.request !== 'smtpd_access_policy') throw new PolicyProtocolError('a request of another kind');
  return attributes;
}
