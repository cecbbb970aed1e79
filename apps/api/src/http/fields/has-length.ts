import { ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * The length of a text in characters (code points), as the database columns and JSON Schema count it.
 * class-validator's `Length` does not count variation selectors, so that a text of any size may pass it.
 */
export function HasLength(min: number, max: number, options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasLength',
      constraints: [min, max],
      validator: { validate: (value) => typeof value === 'string' && isWithin(value, min, max) },
    },
    options,
  );
}

function isWithin(text: string, min: number, max: number): boolean {
  // A character has one or two code units.
  if (text.length > 2 * max) return false;
  const characters = text.length > max || min > 1 ? Array.from(text).length : text.length;
  return characters >= min && characters <= max;
}
