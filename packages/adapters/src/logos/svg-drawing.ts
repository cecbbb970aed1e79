import { type Extent, extentOfPath, POINTS_OF_ARC } from './svg-path.js';
import { paintedBy } from './svg-references.js';
import { IDENTITY, type Matrix, matrixOf, numbersIn, product, reachAfter } from './svg-transform.js';
import { unsafeLogo } from './unsafe-logo.js';

/** The most points of all shapes. An arc counts as four. */
const MAX_POINTS = 10_000;
/**
 * The most points of one shape, and of one with a stroke. The time that a browser needs for a shape grows with the
 * square of its points when they cross each other, and a stroke has several edges for each of them.
 */
const MAX_SHAPE_POINTS = 5_000;
const MAX_STROKED_POINTS = 1_000;
/** How many times the longer side of the image a shape may reach from the origin of the file. */
const MAX_REACH = 100;
/** The longer side that is assumed, in pixels, when the file names none (CSS 2.1, 10.3.2). */
const DEFAULT_SIDE = 300;
/** Without a `viewBox` a unit is a pixel, whatever the size of the image on the page is. */
const MAX_SIDE_IN_PIXELS = 4_096;

/** Pixels (CSS Values 3, 6.2); for units of the font, of the largest one that a page without styles has. */
const PIXELS: Record<string, number> = { '': 1, px: 1, pt: 4 / 3, pc: 16, mm: 3.78, cm: 37.8, in: 96, em: 16, ex: 16 };
const SIDE_FIELDS = ['x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2'];
const POINTS: Record<string, number> = { rect: 8, circle: POINTS_OF_ARC, ellipse: POINTS_OF_ARC, line: 2 };

/** What an element has from those around it. */
interface Frame {
  matrix: Matrix;
  fill: string;
  stroke: string;
  strokeWidth: number;
}

const OUTERMOST: Frame = { matrix: IDENTITY, fill: '', stroke: 'none', strokeWidth: 1 };

/**
 * The bounds of what a browser has to compute for the shapes of an SVG, whatever their bytes say: points, and how far
 * shapes and strokes reach after all transformations.
 */
export class SvgDrawing {
  /** How many fills and strokes of shapes each gradient paints, by the id of a reference. */
  readonly uses = new Map<string, number>();
  private readonly frames: Frame[] = [OUTERMOST];
  private side = DEFAULT_SIDE;
  private points = 0;

  /** @param fields as they are written @throws AppError logo_not_safe */
  open(element: string, fields: ReadonlyMap<string, string>): void {
    if (element === 'svg') this.side = sideOf(fields);
    const frame = this.frameOf(fields);
    this.frames.push(frame);
    if (element === 'path') this.add(frame, pathExtent(fields.get('d') ?? ''));
    else if (element === 'polyline' || element === 'polygon') this.add(frame, pointsExtent(fields.get('points') ?? ''));
    else if (POINTS[element] !== undefined) this.add(frame, this.shapeExtent(fields, POINTS[element]));
  }

  close(): void {
    this.frames.pop();
  }

  private frameOf(fields: ReadonlyMap<string, string>): Frame {
    const parent = this.frames.at(-1) ?? OUTERMOST;
    return {
      matrix: product(parent.matrix, matrixOf(fields.get('transform') ?? '')),
      fill: paintOf(fields.get('fill'), parent.fill),
      stroke: paintOf(fields.get('stroke'), parent.stroke),
      // A browser that does not understand the width takes that of the element around.
      strokeWidth: Math.max(parent.strokeWidth, this.pixelsOf(fields.get('stroke-width') ?? '0')),
    };
  }

  private add({ matrix, fill, stroke, strokeWidth }: Frame, { reach, points }: Extent): void {
    const isStroked = stroke !== 'none';
    const most = isStroked ? MAX_STROKED_POINTS : MAX_SHAPE_POINTS;
    if (points > most)
      throw unsafeLogo(
        `has a shape ${isStroked ? 'with a stroke ' : ''}of more than ${most} points; draw it as several`,
      );
    this.points += points;
    if (this.points > MAX_POINTS) throw unsafeLogo(`has more than ${MAX_POINTS} points; make it simpler`);
    for (const id of [paintedBy(fill), paintedBy(stroke)])
      if (id !== null) this.uses.set(id, (this.uses.get(id) ?? 0) + 1);
    // Not a number is outside too.
    if (!(reachAfter(matrix, reach + (isStroked ? strokeWidth : 0)) <= MAX_REACH * this.side))
      throw unsafeLogo(`has a shape that reaches ${MAX_REACH} times as far as the image is large; draw it inside`);
  }

  private shapeExtent(fields: ReadonlyMap<string, string>, points: number): Extent {
    const sides = SIDE_FIELDS.map((name) => this.pixelsOf(fields.get(name) ?? '0'));
    // The two farthest of them are a place and a length, or two places.
    const [first = 0, second = 0] = sides.sort((a, b) => b - a);
    return { reach: first + second, points };
  }

  private pixelsOf(length: string): number {
    const value = Math.abs(Number.parseFloat(length));
    const unit = /(?<![a-z%])[a-z%]*$/i.exec(length)?.[0].toLowerCase() ?? '';
    return unit === '%' ? (value / 100) * this.side : value * (PIXELS[unit] ?? Number.NaN);
  }
}

function pathExtent(data: string): Extent {
  const extent = extentOfPath(data);
  if (extent === null) throw unsafeLogo('has a path whose data is not valid');
  return extent;
}

/** @returns `none`, a reference or a colour: of the element, or of that around it when a browser may take that one */
function paintOf(own: string | undefined, around: string): string {
  if (own === undefined) return around;
  if (own.toLowerCase() === 'none') return 'none';
  const isCertain = /^(?:url\(|#)/.test(own);
  return isCertain || around === 'none' || around === '' ? own : around;
}

function pointsExtent(text: string): Extent {
  const numbers = numbersIn(text).map(Math.abs);
  return { reach: numbers.reduce((most, number) => Math.max(most, number), 0), points: numbers.length / 2 };
}

/** The longer side of the image, in units of its shapes. */
function sideOf(fields: ReadonlyMap<string, string>): number {
  const box = fields.get('viewBox');
  if (box !== undefined) return Math.max(...numbersIn(box).slice(2));
  const sides = ['width', 'height']
    .map((name) => fields.get(name) ?? '')
    .filter((side) => /^[\d.]+(?:px)?$/i.test(side));
  return Math.min(MAX_SIDE_IN_PIXELS, Math.max(DEFAULT_SIDE, ...sides.map(Number.parseFloat)));
}
