import type { QueuedMessage } from './queued-message.js';

/** What the API says about a domain: `POST /mail-queue/looks`. */
export interface DomainStop {
  hosted: boolean;
  sending_waits: boolean;
  receiving_waits: boolean;
}

export type DomainStops = ReadonlyMap<string, DomainStop>;

/** Which copies of a message wait because of a suspension, and because of whose. */
export interface Fate {
  copies: 'all' | 'some' | 'none';
  domains: string[];
}

/**
 * Decides which copies wait. Anybody may write any sender into a message on port 25, so only the instance of
 * submission, where the sender belongs to the login, counts it. A suspended sender stops copies to the outside only.
 */
export function fateOf(
  { senderDomain, recipientDomains }: QueuedMessage,
  stops: DomainStops,
  isSubmission: boolean,
): Fate {
  const sender = isSubmission && senderDomain !== null ? stops.get(senderDomain) : undefined;
  const domains = new Set<string>();
  let waiting = 0;
  for (const domain of recipientDomains) {
    const recipient = domain === null ? undefined : stops.get(domain);
    if (domain !== null && recipient?.receiving_waits === true) domains.add(domain);
    else if (senderDomain !== null && sender?.sending_waits === true && recipient?.hosted !== true)
      domains.add(senderDomain);
    else continue;
    waiting += 1;
  }
  const copies = waiting === 0 ? 'none' : waiting === recipientDomains.length ? 'all' : 'some';
  return { copies, domains: [...domains] };
}
