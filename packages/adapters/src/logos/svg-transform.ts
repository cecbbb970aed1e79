import { unsafeLogo } from './unsafe-logo.js';

/** The first two rows of a matrix, by columns: `matrix(a b c d e f)` of SVG. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

const FUNCTION = /(?<![a-z])([a-z]+)\s*\(([^()]*)\)/gi;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi;
/** More digits than a browser's coordinates have. */
const DIGITS = 9;
const ROUGHLY_ZERO = 1e-12;

/** By the number of arguments. Angles are in degrees. */
const FUNCTIONS: Record<string, Partial<Record<number, (...values: number[]) => Matrix>>> = {
  matrix: { 6: (a = 0, b = 0, c = 0, d = 0, e = 0, f = 0) => [a, b, c, d, e, f] },
  translate: { 1: (x = 0) => translation(x, 0), 2: (x = 0, y = 0) => translation(x, y) },
  scale: { 1: (by = 0) => [by, 0, 0, by, 0, 0], 2: (x = 0, y = 0) => [x, 0, 0, y, 0, 0] },
  rotate: {
    1: (angle = 0) => rotation(angle),
    3: (angle = 0, x = 0, y = 0) => product(product(translation(x, y), rotation(angle)), translation(-x, -y)),
  },
  skewx: { 1: (angle = 0) => [1, 0, Math.tan(radians(angle)), 1, 0, 0] },
  skewy: { 1: (angle = 0) => [1, Math.tan(radians(angle)), 0, 1, 0, 0] },
};

/**
 * Writes a `transform` as one matrix.
 *
 * @throws AppError logo_not_safe when a function has a wrong number of arguments
 */
export function writtenTransform(transform: string): string {
  const matrix = [...transform.matchAll(FUNCTION)].reduce<Matrix>((before, [, name = '', values = '']) => {
    const numbers = numbersIn(values);
    const next = FUNCTIONS[name.toLowerCase()]?.[numbers.length]?.(...numbers);
    if (next === undefined) throw unsafeLogo('has a transform with a wrong number of values');
    return product(before, next);
  }, IDENTITY);
  const numbers = matrix.map(rounded);
  if (!numbers.every(Number.isFinite)) throw unsafeLogo('has a transform with a number that is too large');
  return `matrix(${numbers.join(' ')})`;
}

/** Reads a `transform` that was written by `writtenTransform`. */
export function matrixOf(transform: string): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersIn(transform);
  return [a, b, c, d, e, f];
}

/** Writes a `viewBox` as four numbers. @throws AppError logo_not_safe */
export function writtenBox(box: string): string {
  const numbers = numbersIn(box).map(rounded);
  const [, , width = 0, height = 0] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || width <= 0 || height <= 0)
    throw unsafeLogo('has a viewBox that is not four numbers, of which the last two are above 0');
  return numbers.join(' ');
}

export function numbersIn(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

/** The matrix that applies the second one first. */
export function product([a, b, c, d, e, f]: Matrix, [k, l, m, n, o, p]: Matrix): Matrix {
  return [a * k + c * l, b * k + d * l, a * m + c * n, b * m + d * n, a * o + c * p + e, b * o + d * p + f];
}

/** The largest amount of a coordinate to which the matrix can bring a point with coordinates of at most `reach`. */
export function reachAfter([a, b, c, d, e, f]: Matrix, reach: number): number {
  const factor = Math.max(Math.abs(a) + Math.abs(c), Math.abs(b) + Math.abs(d));
  return factor * reach + Math.max(Math.abs(e), Math.abs(f));
}

/** What is left of a sine or cosine that should be 0 becomes 0. */
function rounded(value: number): number {
  return Math.abs(value) < ROUGHLY_ZERO ? 0 : Number(value.toPrecision(DIGITS));
}

function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

function rotation(angle: number): Matrix {
  const [sine, cosine] = [Math.sin(radians(angle)), Math.cos(radians(angle))];
  return [cosine, sine, -sine, cosine, 0, 0];
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
