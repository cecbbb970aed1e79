import type { ExpectedHosts } from '../dns-expectations.js';
import type { DnsResolver } from '../dns-resolver.js';
import { SpfLookups } from '../spf/spf-lookups.js';
import { walkSpf } from '../spf/walk-spf.js';

/**
 * Asks for the records of the platform itself. Without a clear answer the fault is here, or at the name servers that
 * are asked, and says nothing about any domain.
 *
 * @returns why no domain can be judged, a sentence; null when all is well
 */
export async function platformProblem(
  dns: DnsResolver,
  { mxHosts, spfInclude }: ExpectedHosts,
): Promise<string | null> {
  const problems = await Promise.all([
    ...mxHosts.map((host) => hostProblem(dns, host)),
    ...(spfInclude === null ? [] : [spfProblem(dns, spfInclude)]),
  ]);
  return problems.find((problem) => problem !== null) ?? null;
}

async function hostProblem(dns: DnsResolver, host: string): Promise<string | null> {
  const answer = await dns.addresses(host);
  if (answer.outcome === 'found') return null;
  return `${host} of MX_HOSTS has no address${answer.outcome === 'error' ? `: ${answer.reason}` : ''}`;
}

/** An error in the record, or in one that it includes, is one for the receivers of every domain. */
async function spfProblem(dns: DnsResolver, include: string): Promise<string | null> {
  const lookups = new SpfLookups(dns);
  const found = await lookups.spf(include);
  if (found.outcome === 'error') return `${include} of SPF_INCLUDE has no SPF record: ${found.reason}`;
  if (found.outcome === 'missing') return `${include} of SPF_INCLUDE has no SPF record`;
  const { problems, failedLookup } = await walkSpf(lookups, include, null);
  const [problem] = problems;
  if (problem !== undefined) return `${include} of SPF_INCLUDE has an SPF record with an error: ${problem.detail}`;
  return failedLookup === null ? null : `${include} of SPF_INCLUDE could not be read completely: ${failedLookup}`;
}
