/** The fields that Postfix adds to a submitted message that lacks them (RFC 6409 section 8). */
const ADDED = /^(?:Resent-)?(?:Message-Id: <\w+@mx\.rig\.test>|Date: .* \(UTC\))\r\n/gm;

/** Returns a message that the relay received without the fields that Postfix added. */
export function withoutAddedFields(text: string): string {
  return text.replace(ADDED, '');
}
