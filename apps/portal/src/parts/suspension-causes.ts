/** Why something is suspended, after the word *suspended*. */
export const SUSPENSION_CAUSES = {
  partner: 'by the partner itself',
  operator: 'by the operator',
  billing: 'because of an unpaid bill',
  abuse: 'because of abuse',
};

/** The causes in words, with a blank before; empty without one. A cause of a newer service keeps its name. */
export function suspensionCauses(causes: readonly string[]): string {
  const words = causes.map((cause) => (SUSPENSION_CAUSES as Record<string, string>)[cause] ?? cause);
  return words.length === 0 ? '' : ` ${words.join(' and ')}`;
}
