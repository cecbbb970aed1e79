import type { Deprecation } from '../deprecation.js';
import type { TextRule } from '../text-rules.js';

export type Schema = Record<string, unknown>;

export type DtoClass<T extends object = object> = new () => T;

/** Data of a field that class-validator does not store. */
export interface FieldNote {
  optional: boolean;
  /** The value in the examples of the OpenAPI document; undefined when the type decides. */
  example: unknown;
  /** The schema of the field in the OpenAPI document. */
  schema: Schema;
  /** The DTO classes that the schema refers to. */
  refers: readonly DtoClass[];
  /** Set for a field that a later version will not have. */
  deprecated: Deprecation | null;
  /** Converts the value before it is checked. Returns a value that it cannot convert as it is; the check refuses it. */
  read: ((value: unknown) => unknown) | null;
  /** What a text must be beside what the schema says; null when the schema says all. */
  rule: TextRule | null;
}

/** The fields of each class, without those of its base classes. */
const NOTES = new WeakMap<object, Map<string, FieldNote>>();
/** The fields of each class, with those of its base classes. */
const RESOLVED = new WeakMap<DtoClass, ReadonlyMap<string, FieldNote>>();

export function noteField(note: FieldNote): PropertyDecorator {
  return (prototype, name) => {
    const notes = NOTES.get(prototype.constructor) ?? new Map<string, FieldNote>();
    notes.set(String(name), note);
    NOTES.set(prototype.constructor, notes);
  };
}

/** The classes of which a body is one, by the class that stands for all of them. */
const ALTERNATIVES = new WeakMap<DtoClass, readonly DtoClass[]>();

/** Declares that a body is of one of these classes. The first one is the example in the OpenAPI document. */
export function eitherOf(dto: DtoClass, alternatives: readonly DtoClass[]): DtoClass {
  ALTERNATIVES.set(dto, alternatives);
  return dto;
}

export function alternativesOf(dto: DtoClass): readonly DtoClass[] {
  return ALTERNATIVES.get(dto) ?? [];
}

/** Returns all fields of a DTO class. Fields of base classes are first. */
export function fieldsOf(dto: DtoClass): ReadonlyMap<string, FieldNote> {
  const known = RESOLVED.get(dto);
  if (known !== undefined) return known;
  const base = Object.getPrototypeOf(dto) as DtoClass | null;
  const inherited = base === null || base.prototype === undefined ? [] : fieldsOf(base);
  const fields = new Map([...inherited, ...(NOTES.get(dto) ?? [])]);
  RESOLVED.set(dto, fields);
  return fields;
}

/** Returns the reference to the schema of a DTO class. */
export function ref(dto: DtoClass): Schema {
  return { $ref: `#/components/schemas/${dto.name}` };
}
