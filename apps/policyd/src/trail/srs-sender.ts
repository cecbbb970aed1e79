/** The form of a rewritten sender: `SRS0=<hash>=<day>=<domain>=<local part>`. One of three signs follows `SRS0`. */
const FIRST = /^SRS0[=+-][^=]+=[^=]+=([^=]+)=(.+)$/i;
/** The form of a sender that another host had rewritten before: `SRS1=<hash>=<that host>=<rest of its address>`. */
const FURTHER = /^SRS1[=+-][^=]+=([^=]+)=([=+-].+)$/i;

/**
 * The sender of a message whose sender was rewritten here, so that it can be forwarded (SRS). Whether the hash is right
 * says nothing more: who makes such a sender could also write the address in it.
 *
 * @param domain to which senders are rewritten here; null: none are
 */
export function withoutSrs(sender: string, domain: string | null): string {
  const end = sender.lastIndexOf('@');
  if (domain === null || sender.slice(end + 1).toLowerCase() !== domain) return sender;
  const local = sender.slice(0, end);
  const [, host, user] = FIRST.exec(local) ?? [];
  if (host !== undefined && user !== undefined) return `${user}@${host}`;
  const [, other, rest] = FURTHER.exec(local) ?? [];
  return other === undefined || rest === undefined ? sender : `SRS0${rest}@${other}`;
}
