import type { Domain, DomainState } from '../api/shapes.js';
import { t } from '../texts/texts.js';

export type RiskFacts = Pick<Domain, 'attention' | 'missing_dns'> & { state: DomainState };

type Reason = NonNullable<DomainState['reason']> | Domain['attention'][number];

/** What puts at risk what a domain sends, besides a missing SPF record. */
const RISKS: Partial<Record<Reason, () => string>> = {
  daily_limit: () => t('status.nearDaily'),
  monthly_limit: () => t('status.nearMonthly'),
  transfer_limit: () => t('status.nearTransfer'),
  dns_at_risk: () => t('status.dnsAtRisk'),
  suppressions_high: () => t('status.deadAddresses'),
};

/** The word for what puts at risk what a domain sends. A reason of what it receives is none. */
export function riskWord({ state, attention, missing_dns = [] }: RiskFacts): string {
  const ofReason = state.reason === null ? undefined : RISKS[state.reason];
  if (ofReason !== undefined) return ofReason();
  if (missing_dns.includes('spf')) return t('lack.spf');
  const [other] = attention.flatMap((reason) => RISKS[reason] ?? []);
  return other?.() ?? t('status.atRisk');
}
