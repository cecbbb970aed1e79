import { alternativesOf, type DtoClass, type FieldNote, fieldsOf, ref, type Schema } from '../fields/field-notes.js';

/** Returns the schemas of the DTO classes and of all classes that they refer to, by name. */
export function schemasOf(classes: Set<DtoClass>): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const waiting = [...classes];
  for (let dto = waiting.pop(); dto !== undefined; dto = waiting.pop()) {
    if (schemas[dto.name] !== undefined) continue;
    const alternatives = alternativesOf(dto);
    if (alternatives.length > 0) {
      schemas[dto.name] = { anyOf: alternatives.map(ref) };
      waiting.push(...alternatives);
      continue;
    }
    const fields: [string, FieldNote][] = [...fieldsOf(dto)];
    schemas[dto.name] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      required: fields.filter(([, { optional }]) => !optional).map(([name]) => name),
      additionalProperties: false,
    };
    waiting.push(...fields.flatMap(([, { refers }]) => refers));
  }
  return schemas;
}
