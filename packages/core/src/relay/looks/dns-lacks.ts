/**
 * What a domain lacks in the DNS, in this order: `mx`, no mail arrives, because it has no MX record that leads
 * anywhere; `mx_mailboxes`, mail arrives first at a mailbox provider; `mx_elsewhere`, it arrives first at other hosts
 * of somebody else; `spf`, its SPF record does not allow the relay, or it has none. Hosts that stand in front of ours,
 * as the holder said, are no lack.
 */
export const DNS_LACKS = ['mx', 'mx_mailboxes', 'mx_elsewhere', 'spf'] as const;
export type DnsLack = (typeof DNS_LACKS)[number];

/** The records that a look asks for. */
export const LOOKED_RECORDS = ['mx', 'spf'] as const;
export type LookedRecord = (typeof LOOKED_RECORDS)[number];

/** At most one lack of each record holds. */
export function recordOf(lack: DnsLack): LookedRecord {
  return lack === 'spf' ? 'spf' : 'mx';
}
