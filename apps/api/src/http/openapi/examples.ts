import { alternativesOf, type DtoClass, type FieldNote, fieldsOf, type Schema } from '../fields/field-notes.js';
import type { Route } from '../route.js';

interface FieldSchema extends Schema {
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
}

/** Returns an example of a DTO class: every required field, and the optional ones that have an example. */
export function exampleOf(dto: DtoClass): Record<string, unknown> {
  const [first = dto] = alternativesOf(dto);
  const fields = [...fieldsOf(first)].filter(([, { optional, example }]) => !optional || example !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
}

/** Returns the example body of a route. It works for the caller who may do least. */
export function exampleBodyOf({ body, exampleBody }: Route): Record<string, unknown> {
  return exampleBody ?? (body === undefined ? {} : exampleOf(body));
}

function valueOf({ example, schema, refers }: FieldNote): unknown {
  if (example !== undefined) return example;
  const { type, enum: values, minimum = 0 } = schema as FieldSchema;
  const [nested] = refers;
  const kind = [type ?? 'object'].flat()[0] ?? 'object';
  if (nested !== undefined) return kind === 'array' ? [exampleOf(nested)] : exampleOf(nested);
  if (values !== undefined) return values[0];
  switch (kind) {
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum;
    case 'object':
      return {};
    default:
      return '';
  }
}
