/**
 * Calls `ask` once with all items that are not null. Does not call it when all are null.
 * @returns one result for each item, in order; `unknown` for a null item.
 */
export async function mapKnown<Item, Result, Unknown>(
  items: readonly (Item | null)[],
  ask: (known: Item[]) => Promise<Result[]>,
  unknown: Unknown,
): Promise<(Result | Unknown)[]> {
  const known = items.filter((item) => item !== null);
  const results = (known.length === 0 ? [] : await ask(known)).values();
  return items.map((item) => (item === null ? unknown : (results.next().value ?? unknown)));
}
