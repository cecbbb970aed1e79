import { writtenBox, writtenTransform } from './svg-transform.js';

// The fixed list of what a logo may have. Each value is matched as a whole, without the spaces around it. No pattern
// has two unbounded repetitions that match the same character, so the time of a match grows with the length alone.

/** The rule of an attribute. */
export interface Rule {
  form: RegExp;
  /** Whether the value may be a reference to a gradient of the file, `url(#id)` or for `href` `#id`. */
  refers?: true;
  /** Writes the value in the one way that every browser reads as we do. @throws AppError logo_not_safe */
  write?: (value: string) => string;
}

const NUMBER = '[+-]?(?:\\d{1,12}(?:\\.\\d{1,12})?|\\.\\d{1,12})(?:e[+-]?\\d{1,3})?';
const LENGTH = `${NUMBER}(?:px|pt|pc|mm|cm|in|em|ex|%)?`;
const COLOUR =
  '(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24}|(?:rgb|hsl)a?\\([\\d\\s.,%/+-]{1,64}(?:deg)?[\\d\\s.,%/+-]{0,64}\\))';
const whole = (pattern: string): Rule => ({ form: new RegExp(`^(?:${pattern})$`, 'i') });

const number = whole(NUMBER);
const length = whole(LENGTH);
const share = whole(`${NUMBER}%?`);
const numbers = whole('[\\d\\s.,e+-]*');
const colour = whole(COLOUR);
const word = whole('[a-z][a-z-]{0,30}');
const words = whole('[a-z][a-z\\s-]{0,60}');
const transform: Rule = {
  ...whole('(?:(?:matrix|translate|scale|rotate|skewx|skewy)\\s{0,4}\\([\\d\\s.,e+-]{0,200}\\)[\\s,]{0,8})*'),
  write: writtenTransform,
};
const viewBox: Rule = { ...numbers, write: writtenBox };
const paint: Rule = { ...colour, refers: true };
/** Matches no value: it must be a reference. */
const NOTHING = /(?!)/;

/** An id, and what stands behind the `#` of a reference. */
export const ID = /^[A-Za-z_][\w.:-]{0,100}$/;
/** `url(#id)`, in quotation marks or not, with a colour for when it is not found. */
export const REFERENCE = new RegExp(`^url\\(\\s*(["']?)#([^"'()\\s]{1,101})\\1\\s*\\)(?:\\s*(${COLOUR}))?$`, 'i');
/** What no value may have, not even one that is left out: a reference, an escape or a rule of CSS, a script. */
export const NEVER = /url\s*\(|[\\@<>]|javascript|expression/i;

/** How something is painted: attributes of every element, and properties in `style`. */
const PAINTING: Record<string, Rule> = {
  fill: paint,
  'fill-opacity': share,
  'fill-rule': word,
  stroke: paint,
  'stroke-linecap': word,
  'stroke-linejoin': word,
  'stroke-miterlimit': number,
  'stroke-opacity': share,
  'stroke-width': length,
  'stop-color': colour,
  'stop-opacity': share,
  color: colour,
  display: word,
  opacity: share,
  overflow: word,
  'paint-order': words,
  'shape-rendering': word,
  visibility: word,
};

const COMMON: Record<string, Rule> = { ...PAINTING, id: { form: ID }, transform };
const SIZE = { x: length, y: length, width: length, height: length };
const GRADIENT = {
  gradientUnits: word,
  gradientTransform: transform,
  spreadMethod: word,
  href: { form: NOTHING, refers: true } satisfies Rule,
};

/** The elements, each with its attributes beside the common ones. */
const ELEMENTS: Record<string, Record<string, Rule>> = {
  svg: { ...SIZE, viewBox },
  g: {},
  defs: {},
  path: { d: whole('[mzlhvcsqta\\d\\s.,e+-]*') },
  rect: { ...SIZE, rx: length, ry: length },
  circle: { cx: length, cy: length, r: length },
  ellipse: { cx: length, cy: length, rx: length, ry: length },
  line: { x1: length, y1: length, x2: length, y2: length },
  polyline: { points: numbers },
  polygon: { points: numbers },
  linearGradient: { ...GRADIENT, x1: length, y1: length, x2: length, y2: length },
  radialGradient: { ...GRADIENT, cx: length, cy: length, r: length, fx: length, fy: length, fr: length },
  stop: { offset: share },
  clipPath: {},
};

/**
 * Texts about the file, and clip paths, which a browser draws again for each element that uses them. They and what is
 * in them are left out; what is in them must be on the lists all the same.
 */
export const LEFT_OUT = new Set(['title', 'desc', 'clipPath']);

/**
 * Attributes that are left out: those by which a few bytes make a browser compute for long (a dash of a thousandth of a
 * line, a stroke or a box whose size has nothing to do with the shapes), and those that change nothing in an image
 * without style sheets and text.
 */
const COSTLY =
  /^(?:stroke-dash(?:array|offset)|pathLength|clip-path|clip-rule|clipPathUnits|vector-effect|preserveAspectRatio)$/;
const MEANINGLESS =
  /^(?:class|version|baseProfile|role|tabindex|focusable|enable-background|font-[a-z-]+|text-[a-z-]+|line-height|letter-spacing|word-spacing|color-interpolation(?:-filters)?|color-rendering|image-rendering|data-[\w-]+|aria-[a-z]+|lang)$/;

export function isKnownElement(name: string): boolean {
  return Object.hasOwn(ELEMENTS, name) || LEFT_OUT.has(name);
}

export function ruleOf(element: string, attribute: string): Rule | null {
  const own = ELEMENTS[element] ?? {};
  if (Object.hasOwn(own, attribute)) return own[attribute] ?? null;
  return Object.hasOwn(COMMON, attribute) ? (COMMON[attribute] ?? null) : null;
}

export function isLeftOut(attribute: string): boolean {
  return COSTLY.test(attribute) || MEANINGLESS.test(attribute);
}

/** The rule of a property of `style`; null for one that is left out. */
export function ruleOfProperty(property: string): Rule | null {
  return Object.hasOwn(PAINTING, property) ? (PAINTING[property] ?? null) : null;
}

export function isGradient(element: string): boolean {
  return element === 'linearGradient' || element === 'radialGradient';
}
