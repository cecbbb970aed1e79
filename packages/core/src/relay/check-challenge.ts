import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledName,
  unquoted,
  valuesOf,
} from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';
import { challengeName, challengeValue } from './ownership-challenge.js';

/** Checks whether the TXT record that proves ownership of the domain is published. */
export async function checkChallenge(
  dns: DnsResolver,
  domain: DomainName,
  ownershipToken: string,
  required: boolean,
): Promise<DnsCheck> {
  const name = challengeName(domain);
  const value = challengeValue(ownershipToken);
  const question: DnsQuestion = { record: 'verification', type: 'TXT', name, expected: [value], required };
  const answer = await dns.txt(name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  if (answer.outcome === 'found') {
    const { values } = answer;
    if (values.includes(value)) return conclude(question, 'ok', 'The ownership record is as expected.', values);
    return conclude(question, 'mismatch', explain(values, ownershipToken), values);
  }
  const misplaced = valuesOf(await dns.txt(doubledName(name, domain)));
  const detail = misplaced.includes(value)
    ? `The record is at ${doubledName(name, domain)}: the domain name was appended twice. Enter the name without ${domain}.`
    : `There is no TXT record at ${name}. Publish one with the value ${value}.`;
  return conclude(question, 'missing', detail);
}

function explain(values: string[], ownershipToken: string): string {
  const value = challengeValue(ownershipToken);
  const bare = values.map(unquoted);
  if (bare.includes(value)) return 'The value has quotation marks or blanks around it. Enter it without them.';
  if (bare.includes(ownershipToken)) return `The start of the value is missing. It must be ${value}.`;
  if (bare.some((each) => each.startsWith('token='))) {
    return `The token does not belong to this domain. Replace it with ${value}.`;
  }
  return `No TXT record at this name has the value ${value}.`;
}
