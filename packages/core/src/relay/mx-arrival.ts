import type { MxRecord } from './dns-resolver.js';
import { mailboxProviderOf } from './mailbox-providers.js';

/** Where mail for a domain arrives first, by its MX records. */
export interface Arrival {
  /**
   * `right`: here, or at hosts that pass it on as the holder said; `elsewhere`: at other hosts, nobody knows why;
   * `mailboxes`: at a mailbox provider, which passes nothing on unless it is told to.
   */
  verdict: 'right' | 'elsewhere' | 'mailboxes';
  /** The hosts of somebody else at which mail arrives before ours, or by turns with ours, each once. */
  first: string[];
  /** Those behind ours, without what the holder said. */
  behind: string[];
}

/**
 * Decides where mail arrives first: at the hosts with the lowest number, by turns among equal ones (RFC 5321 section
 * 5.1). Where no record names a host of ours, all hosts come first.
 *
 * @param records in the order of their numbers, without a null MX
 * @param ours the hosts by which mail arrives here
 * @param said the hosts that pass mail on to ours, as the holder of the domain said
 */
export function arrivalOf(records: readonly MxRecord[], ours: ReadonlySet<string>, said: readonly string[]): Arrival {
  const lowest = Math.min(...records.filter(({ exchange }) => ours.has(exchange)).map(({ priority }) => priority));
  const foreign = records.filter(({ exchange }) => !ours.has(exchange));
  const first = new Set(foreign.filter(({ priority }) => priority <= lowest).map(({ exchange }) => exchange));
  const behind = new Set(foreign.map(({ exchange }) => exchange).filter((host) => !first.has(host)));
  return {
    verdict: verdictOf(without(first, said)),
    first: [...first],
    behind: without(behind, said),
  };
}

function verdictOf(unsaid: readonly string[]): Arrival['verdict'] {
  if (unsaid.length === 0) return 'right';
  return unsaid.some((host) => mailboxProviderOf(host) !== null) ? 'mailboxes' : 'elsewhere';
}

function without(hosts: ReadonlySet<string>, said: readonly string[]): string[] {
  return [...hosts].filter((host) => !said.includes(host));
}
