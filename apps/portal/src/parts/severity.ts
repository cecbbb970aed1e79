import type { DomainState } from '../api/shapes.js';

/** Red: it does not pass. Amber: soon, or not yet. Grey: off on purpose. */
export type Severity = 'bad' | 'wait' | 'off';

type Colour = Severity | 'good';

/** The colour of what a domain sends or receives. Green: it passes. */
export const FLOW_COLOURS = {
  yes: 'good',
  at_risk: 'wait',
  monitored: 'wait',
  pending: 'wait',
  off: 'off',
  waits: 'bad',
  no: 'bad',
} as const satisfies Record<DomainState['sends'], Colour>;

const WORST_FIRST = ['bad', 'off', 'wait'] as const satisfies Severity[];

/** @returns the severity of the worse of both directions; null when all passes, or while the state is not known */
export function severityOf(state: DomainState | undefined): Severity | null {
  if (state === undefined) return null;
  const colours: Colour[] = [FLOW_COLOURS[state.sends], FLOW_COLOURS[state.receives]];
  return WORST_FIRST.find((each) => colours.includes(each)) ?? null;
}
