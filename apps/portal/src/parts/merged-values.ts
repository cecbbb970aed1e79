/** What a form shows after somebody else has changed what it sets. */
interface Merged<Values> {
  /** What was typed, and in the other fields what is set now. */
  values: Values;
  /** The fields that the other one has changed. */
  others: (keyof Values & string)[];
}

/**
 * @param base what was set when the form was filled
 * @param typed what is in the form
 * @param present what is set now
 */
export function mergedValues<Values extends Record<string, unknown>>(
  base: Values,
  typed: Values,
  present: Values,
): Merged<Values> {
  const fields = Object.keys(present) as (keyof Values & string)[];
  const own = fields.filter((field) => !isSame(typed[field], base[field]));
  return {
    values: { ...present, ...Object.fromEntries(own.map((field) => [field, typed[field]])) },
    others: fields.filter((field) => !isSame(base[field], present[field])),
  };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
