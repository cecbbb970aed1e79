import { ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * Checks the length of a text in characters (code points), as the database columns and JSON Schema count them.
 * class-validator's `Length` does not count variation selectors, so it accepts longer texts.
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
  // A character has at most two code units, so a longer text needs no count.
  if (text.length > 2 * max) return false;
  const characters = text.length > max || min > 1 ? Array.from(text).length : text.length;
  return characters >= min && characters <= max;
}
