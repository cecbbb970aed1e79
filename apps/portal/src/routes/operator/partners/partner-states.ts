import type { Partner } from '../../../api/shapes.js';
import type { Mark } from '../../../parts/status-mark.js';

export type PartnerState = Partner['state'];

/** Each partner is in one of them. */
export const PARTNER_STATES: Record<PartnerState, { mark: Mark; word: string }> = {
  suspended: { mark: 'bad', word: 'Suspended' },
  changes_stopped: { mark: 'warn', word: 'Changes stopped' },
  relay_paused: { mark: 'warn', word: 'Paused at the relay' },
  at_limit: { mark: 'wait', word: 'All domains used' },
  near_limit: { mark: 'wait', word: '80% of domains used' },
  active: { mark: 'good', word: 'Active' },
};

/** @returns null for a text that is no state, which somebody may have typed into the address */
export function stateIn(text: string | undefined): PartnerState | null {
  return text !== undefined && Object.hasOwn(PARTNER_STATES, text) ? (text as PartnerState) : null;
}
