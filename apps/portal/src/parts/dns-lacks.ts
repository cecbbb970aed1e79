import type { Domain, DomainState } from '../api/shapes.js';
import { t } from '../texts/texts.js';

/** What a domain lacks in the DNS, as the API names it in its events. */
export type Lack = 'mx' | 'mx_elsewhere' | 'spf';

export type LackFacts = Pick<Domain, 'state' | 'attention' | 'inbound'>;

type Reason = NonNullable<DomainState['reason']> | Domain['attention'][number];

/** What puts at risk what a domain sends, besides a missing SPF record. */
const RISKS: Partial<Record<Reason, () => string>> = {
  daily_limit: () => t('status.nearDaily'),
  monthly_limit: () => t('status.nearMonthly'),
  transfer_limit: () => t('status.nearTransfer'),
  dns_at_risk: () => t('status.dnsAtRisk'),
  suppressions_high: () => t('status.deadAddresses'),
};

/**
 * What a domain lacks in the DNS, as far as its state tells. The state is the worst that holds, so it hides a lack
 * behind something worse, and behind another risk.
 */
export function lacksOf({ state, attention, inbound }: LackFacts): Lack[] {
  if (state === undefined || !attention.includes('dns_missing')) return [];
  const { sends, receives } = state;
  const lacks: Lack[] = [];
  // No mail arrives at an open domain for no other reason.
  if (receives === 'no' && inbound === 'open') lacks.push('mx');
  if (receives === 'at_risk') lacks.push('mx_elsewhere');
  const isSpfAlone = receives === 'yes' && sends !== 'yes';
  if (isSpfAlone || (sends === 'at_risk' && !attention.some((reason) => reason in RISKS))) lacks.push('spf');
  return lacks;
}

/** The word for what puts at risk what a domain sends. A reason of what it receives is none. */
export function riskWord(domain: LackFacts & { state: DomainState }): string {
  const { state, attention } = domain;
  const ofReason = state.reason === null ? undefined : RISKS[state.reason];
  if (ofReason !== undefined) return ofReason();
  if (lacksOf(domain).includes('spf')) return t('lack.spf');
  const [other] = attention.flatMap((reason) => RISKS[reason] ?? []);
  return other?.() ?? t('status.atRisk');
}
