import { listOf, textOrNull } from '../texts/texts.js';

/** Why something is suspended, after that word; null without a cause. A cause of a newer service keeps its name. */
export function suspensionCauses(causes: readonly string[]): string | null {
  return causes.length === 0 ? null : listOf(causes.map((cause) => textOrNull('cause', cause) ?? cause));
}
