import type { Domain } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { type Mark, StatusMark } from './status-mark.js';

type StatusFacts = Pick<Domain, 'status' | 'outbound_status' | 'verification_status' | 'partner_stage'>;

/** The state of a domain at a glance: what stops mail comes first. */
export function DomainStatus({ domain }: { domain: StatusFacts }) {
  const { mark, word } = statusOf(domain);
  return <StatusMark mark={mark}>{word}</StatusMark>;
}

function statusOf(domain: StatusFacts): { mark: Mark; word: string } {
  if (domain.status === 'suspended') return { mark: 'bad', word: t('status.suspended') };
  if (domain.partner_stage !== undefined && domain.partner_stage !== null)
    return { mark: 'bad', word: t('status.partnerSuspended') };
  if (domain.outbound_status === 'blocked') return { mark: 'bad', word: t('status.blocked') };
  return verificationStatus(domain.verification_status);
}

export function verificationStatus(status: string): { mark: Mark; word: string } {
  switch (status) {
    case 'verified':
      return { mark: 'good', word: t('status.verified') };
    case 'failed':
      return { mark: 'bad', word: t('status.failed') };
    case 'pending':
      return { mark: 'wait', word: t('status.pending') };
    default:
      return { mark: 'none', word: t('status.unverified') };
  }
}
