interface ClassOf<Entity> {
  prototype: Entity;
}

interface Hidden<Entity> {
  hide: readonly (keyof Entity)[];
  /** Shown only with a value. */
  hideNull?: readonly (keyof Entity)[];
}

/**
 * Returns what audit rows show of an entity: its fields in snake_case, in the order in which it has them. What is not
 * listed is shown, so that a new field is in the audit row.
 */
export function shownOf<Entity extends object>(
  _class: ClassOf<Entity>,
  { hide, hideNull = [] }: Hidden<Entity>,
): (entity: Entity) => Record<string, unknown> {
  const hidden = new Set<PropertyKey>(hide);
  const hiddenNulls = new Set<PropertyKey>(hideNull);
  return (entity) => {
    const shown = Object.entries(entity).filter(
      ([name, value]) => !hidden.has(name) && (value !== null || !hiddenNulls.has(name)),
    );
    return Object.fromEntries(shown.map(([name, value]) => [snakeCase(name), value]));
  };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
