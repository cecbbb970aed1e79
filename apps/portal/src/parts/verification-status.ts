import { t } from '../texts/texts.js';
import type { Mark } from './status-mark.js';

/** The state of the verification, as a sign and a word. */
export function verificationStatus(status: string): { mark: Mark; word: string } {
  switch (status) {
    case 'verified':
      return { mark: 'good', word: t('domain.verified') };
    case 'failed':
      return { mark: 'bad', word: t('domain.failed') };
    case 'pending':
      return { mark: 'wait', word: t('status.pending') };
    default:
      return { mark: 'none', word: t('domain.unverified') };
  }
}
