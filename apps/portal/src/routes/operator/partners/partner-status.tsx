import type { Partner } from '../../../api/shapes.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { PARTNER_STATES } from './partner-states.js';

/** What each stage of a suspension stops. */
export const STAGES = {
  changes: {
    word: PARTNER_STATES.changes_stopped.word,
    note: 'No change through the API and no outgoing mail; mail still arrives',
  },
  all: {
    word: PARTNER_STATES.suspended.word,
    note: 'As if each domain were suspended: incoming mail waits, nobody logs in',
  },
} as const;

export function PartnerStatus({ partner: { state } }: { partner: Pick<Partner, 'state'> }) {
  const { mark, word } = PARTNER_STATES[state];
  return <StatusMark mark={mark}>{word}</StatusMark>;
}
