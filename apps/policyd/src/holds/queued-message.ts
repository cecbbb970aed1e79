/** A message in a queue of Postfix, as far as its place and its addresses matter here. */
export interface QueuedMessage {
  queue: string;
  id: string;
  /** When it came, seconds since 1970. */
  arrivedAt: number;
  /** The domain of the sender; null for a notice, and for a text that is no domain of this platform. */
  senderDomain: string | null;
  /** The domains of the recipients that have no copy yet; null as above. */
  recipientDomains: (string | null)[];
}

/** A long queue id, which is never used again. A short one could name another message a moment later. */
const LONG_ID = /^[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{10,20}z[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-y]{1,16}$/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/;

/** Reads a line of `postqueue -j`. @returns null for a line of another form, which is left alone. */
export function readQueuedMessage(line: string): QueuedMessage | null {
  const { queue_name: queue, queue_id: id, arrival_time: arrivedAt, sender, recipients } = parsed(line);
  if (typeof queue !== 'string' || typeof id !== 'string' || !LONG_ID.test(id)) return null;
  if (typeof arrivedAt !== 'number' || typeof sender !== 'string' || !Array.isArray(recipients)) return null;
  const addresses = recipients.map((recipient: unknown) => fieldsOf(recipient).address);
  return { queue, id, arrivedAt, senderDomain: domainOf(sender), recipientDomains: addresses.map(domainOf) };
}

function parsed(line: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function domainOf(address: unknown): string | null {
  if (typeof address !== 'string') return null;
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return address.includes('@') && DOMAIN.test(domain) ? domain : null;
}
