import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledFinding,
  doubledName,
  unquoted,
  valuesOf,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
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
    if (values.includes(value)) return conclude(question, 'ok', finding('verification_ok'), { found: values });
    return conclude(question, 'mismatch', explain(values, ownershipToken), { found: values });
  }
  const misplaced = valuesOf(await dns.txt(doubledName(name, domain)));
  const result = misplaced.includes(value)
    ? doubledFinding(name, domain)
    : finding('verification_missing', { name, value });
  return conclude(question, 'missing', result);
}

function explain(values: string[], ownershipToken: string): DnsFinding {
  const value = challengeValue(ownershipToken);
  const bare = values.map(unquoted);
  if (bare.includes(value)) return finding('verification_quoted');
  if (bare.includes(ownershipToken)) return finding('verification_start_missing', { value });
  const isToken = bare.some((each) => each.startsWith('token='));
  return finding(isToken ? 'verification_other_token' : 'verification_other_value', { value });
}
