/**
 * The address as a link for mail programs (RFC 6068, section 2). A local part may have `?`, `&` and `%`, which would
 * begin header fields of the message that the reader did not write.
 */
export function mailto(address: string): string {
  const at = address.lastIndexOf('@');
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`;
}
