/** What a configuration says, by the name of each of its lines. */
export type Lines = ReadonlyMap<string, string>;

/** A line that is not as rendered. Null: not there. */
export interface Difference {
  name: string;
  found: string | null;
  rendered: string | null;
}

/** Returns all lines that differ, in the order of the rendered configuration, then the added ones. */
export function differences(found: Lines, rendered: Lines): Difference[] {
  const names = new Set([...rendered.keys(), ...found.keys()]);
  return [...names]
    .map((name) => ({ name, found: found.get(name) ?? null, rendered: rendered.get(name) ?? null }))
    .filter((each) => each.found !== each.rendered);
}
