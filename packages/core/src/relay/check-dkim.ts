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

export interface DkimKeys {
  /** The provider's tokens; empty until it has made them. */
  tokens: string[];
  /** What the CNAMEs point below: `<token>.<zone>`. */
  zone: string;
  /** Why the provider has made none, a sentence; null when it was not asked yet. */
  failure: string | null;
}

/** One check for each DKIM key of the provider; without keys one that says why. */
export function checkDkim(dns: DnsResolver, domain: DomainName, keys: DkimKeys): Promise<DnsCheck[]> {
  if (keys.tokens.length > 0) {
    return Promise.all(keys.tokens.map((token) => checkKey(dns, domain, token, keys)));
  }
  const question = ask(`_domainkey.${domain}`, []);
  const reason = keys.failure ?? 'The relay provider has not made the DKIM keys of this domain yet.';
  return Promise.resolve([conclude(question, 'error', reason)]);
}

function ask(name: string, expected: string[]): DnsQuestion {
  return { record: 'dkim', type: 'CNAME', name, expected, required: true };
}

async function checkKey(dns: DnsResolver, domain: DomainName, token: string, keys: DkimKeys): Promise<DnsCheck> {
  const name = `${token}._domainkey.${domain}`;
  const target = `${token}.${keys.zone}`;
  const question = ask(name, [target]);
  const answer = await dns.cname(name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  if (answer.outcome === 'missing') return checkWithoutCname(dns, domain, question, target);
  const { values } = answer;
  if (values.includes(target)) return conclude(question, 'ok', 'The DKIM record is as expected.', values);
  return conclude(question, 'mismatch', explain(values, domain, token, keys), values);
}

/** Some DNS providers answer for a CNAME with the TXT record of its target (flattening), which is as good. */
async function checkWithoutCname(
  dns: DnsResolver,
  domain: DomainName,
  question: DnsQuestion,
  target: string,
): Promise<DnsCheck> {
  const { name } = question;
  const [own, atTarget, misplaced] = await Promise.all([
    dns.txt(name),
    dns.txt(target),
    dns.cname(doubledName(name, domain)),
  ]);
  if (own.outcome === 'error') return couldNotCheck(question, own.reason);
  if (own.outcome === 'found') return checkFlattened(question, target, own.values, atTarget);
  const detail = valuesOf(misplaced).includes(target)
    ? `The record is at ${doubledName(name, domain)}: the domain name was appended twice. Enter the name without ${domain}.`
    : `There is no CNAME record at ${name}. Publish one that points to ${target}.`;
  return conclude(question, 'missing', detail);
}

function checkFlattened(
  question: DnsQuestion,
  target: string,
  found: string[],
  atTarget: Awaited<ReturnType<DnsResolver['txt']>>,
): DnsCheck {
  if (found.map(unquoted).some((value) => value.replace(/\.$/, '') === target)) {
    return conclude(question, 'mismatch', 'The value was published as TXT. The type must be CNAME.', found);
  }
  if (atTarget.outcome === 'error') return couldNotCheck(question, atTarget.reason);
  const keys = valuesOf(atTarget);
  if (found.some((value) => keys.includes(value))) {
    return conclude(
      question,
      'ok',
      'The key itself is published instead of the CNAME, and it is the right one.',
      found,
    );
  }
  const detail = `A TXT record is here that is not the key of ${target}. Replace it by a CNAME that points there.`;
  return conclude(question, 'mismatch', detail, found);
}

function explain(found: string[], domain: DomainName, token: string, { tokens, zone }: DkimKeys): string {
  const target = `${token}.${zone}`;
  if (found.includes(`${target}.${domain}`)) {
    return `The domain name was appended to the target. End the target with a dot, or choose ${target} as it is.`;
  }
  if (found.some((value) => tokens.some((other) => other !== token && value === `${other}.${zone}`))) {
    return `This name points to another key of the domain. It must point to ${target}.`;
  }
  if (found.some((value) => value.startsWith(`${token}.`))) {
    return `The key is the right one, but the zone is not: the target must end in ${zone}.`;
  }
  return `The CNAME points to ${found.join(', ')}. It must point to ${target}.`;
}
