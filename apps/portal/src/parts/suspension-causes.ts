import { isCustomer } from '../api/caller.js';
import type { Caller } from '../api/shapes.js';
import { listOf, textOrNull } from '../texts/texts.js';

/** Why something is suspended, after that word; null without a cause. A cause of a newer service keeps its name. */
export function suspensionCauses(causes: readonly string[]): string | null {
  return causes.length === 0 ? null : listOf(causes.map((cause) => textOrNull('cause', cause) ?? cause));
}

/** The causes that the reader is told. Who else stopped the mail of a customer, its provider alone knows. */
export function causesFor(reader: Caller, causes: readonly string[]): string[] {
  return causes.filter((cause) => !isCustomer(reader) || cause === 'abuse');
}
