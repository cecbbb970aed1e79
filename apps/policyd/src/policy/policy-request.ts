import { HeldBytes } from '../held-bytes.js';

/** The attributes of one request, by name (Postfix SMTPD_POLICY_README). */
export type PolicyRequest = Readonly<Record<string, string>>;

const MAX_REQUEST_BYTES = 65_536;
const MAX_ATTRIBUTES = 100;
const LINE_FEED = 0x0a;

/** The received bytes are not a policy request. */
export class PolicyProtocolError extends Error {}

/** Assembles the requests of one connection: lines `name=value`, ended by an empty line. */
export class PolicyRequestReader {
  private readonly held = new HeldBytes();

  /** True while a request is incomplete. */
  get isInside(): boolean {
    return this.held.length > 0;
  }

  /**
   * @returns the requests that are complete with this chunk.
   * @throws PolicyProtocolError; the connection must then be closed.
   */
  read(chunk: Buffer): PolicyRequest[] {
    // Each byte is searched once. The end of a request may have begun with the last byte of the chunk before.
    let searched = Math.max(0, this.held.length - 1);
    const bytes = this.held.append(chunk);
    const requests: PolicyRequest[] = [];
    let start = 0;
    for (;;) {
      if (bytes[start] === LINE_FEED) throw new PolicyProtocolError('an empty request');
      const end = bytes.indexOf('\n\n', searched);
      if (end === -1) break;
      requests.push(parse(bytes.toString('utf8', start, end)));
      start = end + 2;
      searched = start;
    }
    this.held.hold(start);
    if (this.held.length > MAX_REQUEST_BYTES) throw new PolicyProtocolError('a request without an end');
    return requests;
  }
}

function parse(text: string): PolicyRequest {
  const lines = text.split('\n');
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
