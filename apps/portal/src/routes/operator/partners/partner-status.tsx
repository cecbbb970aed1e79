import type { Partner } from '../../../api/shapes.js';
import { StatusMark } from '../../../parts/status-mark.js';

/** What each stage of a suspension stops. */
export const STAGES = {
  changes: { word: 'Changes stopped', note: 'No change through the API and no outgoing mail; mail still arrives' },
  all: { word: 'Suspended', note: 'As if each domain were suspended: incoming mail waits, nobody logs in' },
} as const;

export function PartnerStatus({ partner: { stage } }: { partner: Pick<Partner, 'stage'> }) {
  if (stage === null) return <StatusMark mark="good">Active</StatusMark>;
  return <StatusMark mark={stage === 'all' ? 'bad' : 'warn'}>{STAGES[stage].word}</StatusMark>;
}
