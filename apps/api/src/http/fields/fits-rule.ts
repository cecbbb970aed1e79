import { ValidateBy } from 'class-validator';
import type { TextRule } from '../text-rules.js';

/** Checks a text, or each text of a list, by a rule that says what is wrong; of a list it says so of the first one. */
export function FitsRule(rule: TextRule): PropertyDecorator {
  const problemOf = (value: unknown): string | null => {
    for (const text of Array.isArray(value) ? value : [value]) {
      const problem = typeof text === 'string' ? rule(text) : null;
      if (problem !== null) return problem;
    }
    return null;
  };
  return ValidateBy(
    { name: 'fitsRule', constraints: [], validator: { validate: (value) => problemOf(value) === null } },
    { message: ({ value }) => problemOf(value) ?? '' },
  );
}
