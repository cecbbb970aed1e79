import { readTime } from '@mailstead/core/read-time';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Deprecation } from './deprecation.js';
import { type DtoClass, type FieldNote, noteField, ref, type Schema } from './fields/field-notes.js';
import { FitsRule } from './fields/fits-rule.js';
import { HasLength } from './fields/has-length.js';
import { toInstance } from './fields/to-instance.js';
import type { TextRule } from './text-rules.js';

interface FieldOptions {
  /** The field may be left out. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  /** What the field means, in the OpenAPI document. A test asks for it. */
  description?: string;
  /**
   * The value in the document's examples. A field without one has a value of its type, or is left out when optional.
   */
  example?: unknown;
  /** A later version will not have the field. A request with it gets the headers that say so. */
  deprecated?: Deprecation;
}

interface Bounds {
  min?: number;
  max?: number;
}

interface TextOptions extends FieldOptions, Bounds {
  /** What the text must be besides; for a text that fits the other rules. */
  rule?: TextRule;
}

type Reading = Partial<Pick<FieldNote, 'refers' | 'read' | 'rule'>>;

/** Replaces a value that is not an object. It is false, because class-validator may accept null or a list. */
const NO_OBJECT = false;
const LONGEST_TEXT = 10_000;
/** No control characters and no unpaired surrogates. */
const PLAIN_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;
/**
 * Nor format characters, which are invisible or turn the direction of what follows, nor separators of lines. The two
 * joiners are part of words and emoji, so they may stand between characters outside ASCII.
 */
const PRINTABLE_CHARACTERS =
  /^(?:[^\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]|(?<=[^\p{ASCII}])[\u200c\u200d](?=[^\p{ASCII}]))*$/u;
const FREE_TEXT = 128;
const TIME_RULE = 'must be an ISO 8601 time like 2026-03-01T12:00:00.000 (UTC unless it has an offset)';
const EXAMPLE_TIME = '2026-03-01T12:00:00.000';
const TIME_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$';
const INPUT_TIME_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}([Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?([Zz]|[+-]\\d{2}:?\\d{2})?)?$';

/** A whole number. Strings, fractions and numbers out of bounds are refused. */
export function Integer(options: FieldOptions & Bounds = {}, reading: Reading = {}): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const message = `must be a whole number from ${min} to ${max}`;
  const rules = [IsInt({ message }), Min(min, { message }), Max(max, { message })];
  return field(options, rules, { type: 'integer', minimum: min, maximum: max }, reading);
}

/** A whole number in a query string. */
export function QueryInteger(options: FieldOptions & Bounds): PropertyDecorator {
  const read = (value: unknown) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value);
  return Integer(options, { read });
}

/** A number that may have a fraction. */
export function Decimal(options: FieldOptions = {}): PropertyDecorator {
  return field(options, [IsNumber({}, { message: 'must be a number' })], { type: 'number' });
}

export function Bool(options: FieldOptions = {}, reading: Reading = {}): PropertyDecorator {
  return field(options, [IsBoolean({ message: 'must be true or false' })], { type: 'boolean' }, reading);
}

/** `true` or `false` in a query string. */
export function QueryBool(options: FieldOptions): PropertyDecorator {
  const read = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);
  return Bool(options, { read });
}

function ownRules(rule: TextRule | null): PropertyDecorator[] {
  return rule === null ? [] : [FitsRule(rule)];
}

function lengthRule(min: number, max: number): string {
  return min === max ? `must have exactly ${min} characters` : `must have ${min} to ${max} characters`;
}

/** Text without control characters. `min` and `max` are numbers of characters. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min = 0, max = LONGEST_TEXT, rule = null } = options;
  const rules = [
    IsString({ message: 'must be a string' }),
    HasLength(min, max, { message: lengthRule(min, max) }),
    Matches(PLAIN_CHARACTERS, { message: 'must not contain control characters or unpaired surrogates' }),
    ...ownRules(rule),
  ];
  return field(options, rules, { type: 'string', minLength: min, maxLength: max }, { rule });
}

/** Text that people wrote and other people read: at most 128 characters unless `max` says less, all printable. */
export function FreeText(options: TextOptions): PropertyDecorator {
  const message = 'must not contain control characters, invisible format characters or unpaired surrogates';
  const { min = 0, max = FREE_TEXT, rule = null } = options;
  const rules = [
    IsString({ message: 'must be a string' }),
    HasLength(min, max, { message: lengthRule(min, max) }),
    Matches(PRINTABLE_CHARACTERS, { message }),
    ...ownRules(rule),
  ];
  return field(options, rules, { type: 'string', minLength: min, maxLength: max }, { rule });
}

export function Enum(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const rules = [IsIn(values, { message: `must be one of ${values.join(', ')}` })];
  return field(options, rules, { type: 'string', enum: [...values, ...(options.nullable === true ? [null] : [])] });
}

/** Asks for the number of rows of a list, with `limit`. */
export function Total(): PropertyDecorator {
  const description =
    '`true`: the header `Total-Count` has the number of rows of the whole list. With `limit` only. Rows are counted up to 20,000, and no more than 20,000 are looked at; `+` behind the number says that there may be more';
  return Enum(['true'], { optional: true, description });
}

export function ListOfEnum(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const message = `must be a list of ${values.join(', ')}`;
  const rules = [IsArray({ message }), IsIn(values, { each: true, message })];
  return field(options, rules, { type: 'array', items: { type: 'string', enum: [...values] } });
}

/** A list of texts without control characters. `maxLength` is the maximum number of characters of each text. */
export function ListOfText(options: TextOptions & { maxLength?: number } = {}): PropertyDecorator {
  const { maxLength, rule = null } = options;
  const message = `must be a list of strings${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
  const rules = [
    IsArray({ message }),
    ...sizeRules(options),
    HasLength(0, maxLength ?? LONGEST_TEXT, { each: true, message }),
    Matches(PLAIN_CHARACTERS, { each: true, message }),
    ...ownRules(rule),
  ];
  const items = { type: 'string', ...(maxLength === undefined ? {} : { maxLength }) };
  return field(options, rules, { type: 'array', items, ...sizeSchema(options) }, { rule });
}

/** A time in a response. */
export function Time(options: FieldOptions = {}): PropertyDecorator {
  return field({ example: EXAMPLE_TIME, ...options }, [], { type: 'string', pattern: TIME_PATTERN });
}

/** A time in a request, in any form of ISO 8601. It becomes a Date. */
export function InputTime(options: FieldOptions = {}): PropertyDecorator {
  const read = (value: unknown) => (typeof value === 'string' ? (readTime(value) ?? value) : value);
  return field(options, [IsDate({ message: TIME_RULE })], { type: 'string', pattern: INPUT_TIME_PATTERN }, { read });
}

/** A list of objects of a DTO class. */
export function ListOf(dto: DtoClass, options: FieldOptions & Bounds = {}): PropertyDecorator {
  const { max = Number.POSITIVE_INFINITY } = options;
  const rules = [
    IsArray({ message: 'must be a list' }),
    ...sizeRules(options),
    ValidateNested({ message: 'must be an object' }),
  ];
  const read = (value: unknown) =>
    // A list that is too long is refused without checking its items.
    Array.isArray(value) && value.length <= max
      ? value.map((item: unknown) => toInstance(dto, item) ?? NO_OBJECT)
      : value;
  const schema = { type: 'array', items: ref(dto), ...sizeSchema(options) };
  return field(options, rules, schema, { refers: [dto], read });
}

/**
 * A list of objects whose route checks each item by itself, with the rules of the DTO class, so that a wrong item fails
 * alone. Only the size of the list is checked here.
 */
export function ListOfSeparate(dto: DtoClass, options: FieldOptions & Bounds): PropertyDecorator {
  const rules = [IsArray({ message: 'must be a list' }), ...sizeRules(options)];
  return field(options, rules, { type: 'array', items: ref(dto), ...sizeSchema(options) }, { refers: [dto] });
}

/** The problem details of an item that failed. */
export function ProblemDetails(options: FieldOptions): PropertyDecorator {
  return field(options, [], { $ref: '#/components/schemas/Problem' });
}

/** An object of a DTO class. */
export function Nested(dto: DtoClass, options: FieldOptions = {}): PropertyDecorator {
  const schema = options.nullable === true ? { oneOf: [ref(dto), { type: 'null' }] } : ref(dto);
  const read = (value: unknown) => toInstance(dto, value) ?? NO_OBJECT;
  return field(options, [ValidateNested({ message: 'must be an object' })], schema, { refers: [dto], read });
}

/** An object of texts under names that the description explains. For responses. */
export function MapOfText(options: FieldOptions = {}): PropertyDecorator {
  return field(options, [], { type: 'object', additionalProperties: { type: 'string' } });
}

/** Any JSON value. */
export function Json(options: FieldOptions = {}): PropertyDecorator {
  return field(options, [], {});
}

/** Decorates a property with the rules for presence, then with the other rules, and records its schema. */
function field(
  options: FieldOptions,
  rules: PropertyDecorator[],
  schema: Schema,
  { refers = [], read = null, rule = null }: Reading = {},
): PropertyDecorator {
  const { optional = false, nullable = false, example, deprecated } = options;
  const description = describedEnd(options.description, deprecated);
  const isNullableType = nullable && typeof schema.type === 'string';
  const note = noteField({
    optional,
    example,
    schema: {
      ...schema,
      ...(isNullableType ? { type: [schema.type, 'null'] } : {}),
      ...(description === undefined ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated: true }),
    },
    deprecated: deprecated ?? null,
    refers,
    read,
    rule,
  });
  const presence = [
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    IsDefined({ message: ({ value }) => (value === null ? 'must not be null' : 'is required') }),
  ];
  return (prototype, name) => {
    for (const decorate of [...presence, ...rules, note]) decorate(prototype, name);
  };
}

/** The description with what ends, when, and what to use instead. */
export function describedEnd(description?: string, deprecated?: Deprecation): string | undefined {
  if (deprecated === undefined) return description;
  const end = `Deprecated since ${deprecated.since}, gone from ${deprecated.sunset} on. ${deprecated.use}`;
  return description === undefined ? end : `${description}${description.endsWith('.') ? '' : '.'} ${end}`;
}

function sizeRules({ min = 0, max }: Bounds): PropertyDecorator[] {
  if (max === undefined) return [];
  const message = `must have ${min} to ${max} items`;
  return [ArrayMinSize(min, { message }), ArrayMaxSize(max, { message })];
}

function sizeSchema({ min = 0, max }: Bounds): Schema {
  return max === undefined ? {} : { minItems: min, maxItems: max };
}
