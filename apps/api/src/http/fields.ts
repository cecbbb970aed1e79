import type { FieldError } from '@mailstead/core/errors';
import { ValidateBy } from 'class-validator';

export type Schema = Record<string, unknown>;

/** One field of a DTO: how it is checked, what it becomes, what the OpenAPI document says of it. */
export interface Field {
  optional: boolean;
  schema: Schema;
  /** Whether nothing is wrong with the value: what is asked first, of each of many items. */
  fits(value: unknown): boolean;
  /** What is wrong with the value, with the path of each problem; empty when nothing is. */
  problems(value: unknown, path: string): FieldError[];
  /** Turns a checked value into what the handler works with. */
  convert(value: unknown): unknown;
  /** The DTO classes the schema refers to. */
  refers: DtoClass[];
}

export type DtoClass<T extends object = object> = new () => T;

interface FieldOptions {
  /** May be left out. */
  optional?: boolean;
  /** May be null, where null has a meaning. */
  nullable?: boolean;
  description?: string;
}

/** The fields of each class alone, as its decorators tell them. */
const FIELDS = new WeakMap<object, Map<string, Field>>();
/** With those of the base classes; a class is asked for on every request. */
const RESOLVED = new WeakMap<DtoClass, ReadonlyMap<string, Field>>();

/** All fields of a DTO class, those of its base classes first. */
export function fieldsOf(dto: DtoClass): ReadonlyMap<string, Field> {
  const known = RESOLVED.get(dto);
  if (known !== undefined) return known;
  const base = Object.getPrototypeOf(dto) as DtoClass | null;
  const inherited = base === null || base.prototype === undefined ? [] : fieldsOf(base);
  const fields = new Map([...inherited, ...(FIELDS.get(dto) ?? [])]);
  RESOLVED.set(dto, fields);
  return fields;
}

/** A whole number; strings, fractions and numbers out of bounds are refused. */
export function Integer(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return define(options, { type: 'integer', minimum: min, maximum: max }, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? null
      : `must be a whole number from ${min} to ${max}`,
  );
}

/** A number that need not be whole, inside an answer. */
export function Decimal(options: FieldOptions = {}): PropertyDecorator {
  return define(options, { type: 'number' }, (value) =>
    typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number',
  );
}

export function Bool(options: FieldOptions = {}): PropertyDecorator {
  return define(options, { type: 'boolean' }, (value) => (typeof value === 'boolean' ? null : 'must be true or false'));
}

/** Text without control characters. */
export function Text(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = 10_000 } = options;
  return define(options, { type: 'string', minLength: min, maxLength: max }, (value) => {
    if (typeof value !== 'string') return 'must be a text';
    if (hasControlCharacter(value)) return 'must not contain control characters';
    return value.length >= min && value.length <= max ? null : `must have ${min} to ${max} characters`;
  });
}

export function Enum(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return define(options, { type: 'string', enum: [...values] }, (value) =>
    typeof value === 'string' && values.includes(value) ? null : `must be one of ${values.join(', ')}`,
  );
}

export function ListOfEnum(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return define(options, { type: 'array', items: { type: 'string', enum: [...values] } }, (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && values.includes(item))
      ? null
      : `must be a list of ${values.join(', ')}`,
  );
}

/** Texts without control characters. */
export function ListOfText(
  options: FieldOptions & { min?: number; max?: number; maxLength?: number } = {},
): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, maxLength = 10_000 } = options;
  const bounds = options.max === undefined ? {} : { minItems: min, maxItems: max };
  const items = { type: 'string', ...(options.maxLength === undefined ? {} : { maxLength }) };
  const isText = (item: unknown) => typeof item === 'string' && item.length <= maxLength && !hasControlCharacter(item);
  return define(options, { type: 'array', items, ...bounds }, (value) => {
    if (!Array.isArray(value) || !value.every(isText)) {
      return `must be a list of texts${options.maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
    }
    return value.length >= min && value.length <= max ? null : `must have ${min} to ${max} items`;
  });
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;
const TIME_RULE = 'must be an ISO 8601 time like 2026-03-01T12:00:00.000 (UTC unless it has an offset)';
const TIME_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$';

/** Reads a time: UTC unless it has an offset, a date alone is its midnight. Null when it is none, or no real date. */
function parseTime(text: string): Date | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const asUtc = new Date(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // A date like 31 February, or an hour like 24, reads as another one: refuse it.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== local) return null;
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (offset === null) return asUtc;
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  if (Number(offset[2]) > 23 || Number(offset[3]) > 59) return null;
  return new Date(asUtc.getTime() - (offset[1] === '-' ? -minutes : minutes) * 60_000);
}

/** A time, which becomes a Date. */
export function Time(options: FieldOptions = {}): PropertyDecorator {
  return define(
    options,
    { type: 'string', pattern: TIME_PATTERN, example: '2026-03-01T12:00:00.000' },
    (value) => (typeof value === 'string' && parseTime(value) !== null ? null : TIME_RULE),
    (value) => (typeof value === 'string' ? parseTime(value) : value),
  );
}

/** The same in a query string. */
export const QueryTime = Time;

/** A whole number in a query string. */
export function QueryInteger(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return define(
    options,
    { type: 'integer', minimum: min, maximum: max },
    (value) =>
      typeof value === 'string' && /^\d{1,16}$/.test(value) && Number(value) >= min && Number(value) <= max
        ? null
        : `must be a whole number from ${min} to ${max}`,
    Number,
  );
}

/** A list of objects of a DTO class, each checked with the path of its index. */
export function ListOf(dto: DtoClass, options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const bounds = options.max === undefined ? {} : { minItems: min, maxItems: max };
  return register({
    optional: options.optional === true,
    schema: described({ type: 'array', items: ref(dto), ...bounds }, options),
    refers: [dto],
    fits: (value) =>
      Array.isArray(value) &&
      value.length >= min &&
      value.length <= max &&
      value.every((item: unknown) => objectFits(dto, item)),
    problems: (value, path) => {
      if (!Array.isArray(value)) return [{ field: path, message: 'must be a list' }];
      if (value.length < min || value.length > max)
        return [{ field: path, message: `must have ${min} to ${max} items` }];
      return value.flatMap((item, index) => objectProblems(dto, item, `${path}[${index}]`));
    },
    convert: (value) => (Array.isArray(value) ? value.map((item) => toInstance(dto, item as object)) : value),
  });
}

/** An object of a DTO class inside an answer. */
export function Nested(dto: DtoClass, options: FieldOptions = {}): PropertyDecorator {
  const schema = options.nullable === true ? { oneOf: [ref(dto), { type: 'null' }] } : ref(dto);
  return register({
    optional: options.optional === true,
    schema: described(schema, options),
    refers: [dto],
    fits: (value) => (value === null && options.nullable === true) || objectFits(dto, value),
    problems: (value, path) => (value === null && options.nullable === true ? [] : objectProblems(dto, value, path)),
    convert: (value) => (value === null ? null : toInstance(dto, value as object)),
  });
}

/** Any JSON inside an answer. */
export function Json(options: FieldOptions = {}): PropertyDecorator {
  return define(options, {}, () => null);
}

export function ref(dto: DtoClass): Schema {
  return { $ref: `#/components/schemas/${dto.name}` };
}

function objectFits(dto: DtoClass, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = fieldsOf(dto);
  for (const name of Object.keys(value)) if (!fields.has(name)) return false;
  for (const [name, field] of fields) if (!field.fits(own(value, name))) return false;
  return true;
}

/** Everything that is wrong with a value as an object of the class. */
export function objectProblems(dto: DtoClass, value: unknown, path: string): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: path, message: 'must be an object' }];
  const fields = fieldsOf(dto);
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
  const unknown = Object.keys(value)
    .filter((name) => !fields.has(name))
    .map((name) => ({ field: inside(name), message: 'is not a known field' }));
  const wrong = [...fields].flatMap(([name, field]) => field.problems(own(value, name), inside(name)));
  return [...unknown, ...wrong];
}

/** An instance of the class with the converted values of a checked object. */
export function toInstance<T extends object>(dto: DtoClass<T>, value: object): T {
  const instance = new dto();
  for (const [name, field] of fieldsOf(dto)) {
    const given = own(value, name);
    if (given !== undefined) Reflect.set(instance, name, given === null ? null : field.convert(given));
  }
  return instance;
}

export function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function define(
  options: FieldOptions,
  schema: Schema,
  check: (value: unknown) => string | null,
  convert: (value: unknown) => unknown = (value) => value,
): PropertyDecorator {
  const type = schema.type;
  const nullableType = options.nullable === true && typeof type === 'string' ? { type: [type, 'null'] } : {};
  return register({
    optional: options.optional === true,
    schema: described({ ...schema, ...nullableType }, options),
    refers: [],
    fits: (value) => {
      if (value === undefined) return options.optional === true;
      return (value === null && options.nullable === true) || check(value) === null;
    },
    problems: (value, path) => {
      if (value === undefined) return options.optional === true ? [] : [{ field: path, message: 'is required' }];
      if (value === null && options.nullable === true) return [];
      const problem = check(value);
      return problem === null ? [] : [{ field: path, message: problem }];
    },
    convert,
  });
}

function described(schema: Schema, { description }: FieldOptions): Schema {
  return description === undefined ? schema : { ...schema, description };
}

function register(field: Field): PropertyDecorator {
  return (prototype, name) => {
    const fields = FIELDS.get(prototype.constructor) ?? new Map<string, Field>();
    fields.set(String(name), field);
    FIELDS.set(prototype.constructor, fields);
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value: unknown) => field.fits(value),
        defaultMessage: (args) => field.problems(args?.value, String(name))[0]?.message ?? '',
      },
    })(prototype, name);
  };
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}
