export type Schema = Record<string, unknown>;

export type DtoClass<T extends object = object> = new () => T;

/** What class-validator does not keep of a field. */
export interface FieldNote {
  optional: boolean;
  /** What the OpenAPI document says of it. */
  schema: Schema;
  /** The DTO classes the schema refers to. */
  refers: readonly DtoClass[];
  /** What the value becomes before it is checked. A value that cannot be read stays as it is, for the check to refuse. */
  read: ((value: unknown) => unknown) | null;
}

/** The fields of each class alone. */
const NOTES = new WeakMap<object, Map<string, FieldNote>>();
/** With those of the base classes. */
const RESOLVED = new WeakMap<DtoClass, ReadonlyMap<string, FieldNote>>();

export function noteField(note: FieldNote): PropertyDecorator {
  return (prototype, name) => {
    const notes = NOTES.get(prototype.constructor) ?? new Map<string, FieldNote>();
    notes.set(String(name), note);
    NOTES.set(prototype.constructor, notes);
  };
}

/** All fields of a DTO class, those of its base classes first. */
export function fieldsOf(dto: DtoClass): ReadonlyMap<string, FieldNote> {
  const known = RESOLVED.get(dto);
  if (known !== undefined) return known;
  const base = Object.getPrototypeOf(dto) as DtoClass | null;
  const inherited = base === null || base.prototype === undefined ? [] : fieldsOf(base);
  const fields = new Map([...inherited, ...(NOTES.get(dto) ?? [])]);
  RESOLVED.set(dto, fields);
  return fields;
}

/** How the OpenAPI document refers to a DTO class. */
export function ref(dto: DtoClass): Schema {
  return { $ref: `#/components/schemas/${dto.name}` };
}
