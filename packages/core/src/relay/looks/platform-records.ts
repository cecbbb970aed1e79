import type { ExpectedHosts } from '../dns-expectations.js';
import type { DnsResolver } from '../dns-resolver.js';
import { isSpf } from '../spf-record.js';

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

async function spfProblem(dns: DnsResolver, include: string): Promise<string | null> {
  const answer = await dns.txt(include);
  if (answer.outcome === 'found' && answer.values.some(isSpf)) return null;
  return `${include} of SPF_INCLUDE has no SPF record${answer.outcome === 'error' ? `: ${answer.reason}` : ''}`;
}
