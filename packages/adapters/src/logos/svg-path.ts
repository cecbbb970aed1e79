/** How far a shape reaches from its origin, in its own units, and how many points a browser computes for it. */
export interface Extent {
  /** The largest amount of a coordinate, control points included; NaN or Infinity when there is none. */
  reach: number;
  points: number;
}

type Command = 'm' | 'z' | 'l' | 'h' | 'v' | 'c' | 's' | 'q' | 't' | 'a';
/** `curve` is of `c` and `s`, `bend` of `q` and `t`: only a command of the same kind reflects a control point. */
type Kind = 'curve' | 'bend' | null;

const ARGUMENTS: Record<Command, number> = { m: 2, z: 0, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7 };
const KINDS: Partial<Record<Command, Kind>> = { c: 'curve', s: 'curve', q: 'bend', t: 'bend' };
/** A browser draws an arc as up to four curves. */
export const POINTS_OF_ARC = 4;

const COMMAND = /[\s,]*([mzlhvcsqta])/iy;
const ARGUMENT = /[\s,]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;
/** The flags of an arc need nothing between them. */
const FLAG = /[\s,]*([01])/y;
const REST = /[\s,]*$/y;

/** Reads the data of a path (SVG 2, 9.3). @returns null when it is not valid */
export function extentOfPath(data: string): Extent | null {
  const reader = new Reader(data);
  const pen = new Pen();
  while (!reader.isAtEnd()) {
    const letter = reader.next(COMMAND);
    if (letter === null || (pen.points === 0 && letter.toLowerCase() !== 'm')) return null;
    let command = letter.toLowerCase() as Command;
    const isRelative = letter === command;
    do {
      const values = reader.values(command);
      if (values === null) return null;
      pen.draw(command, values, isRelative);
      // More coordinates after those of a moveto are those of lines.
      if (command === 'm') command = 'l';
    } while (command !== 'z' && reader.hasArgument());
  }
  return { reach: pen.reach, points: pen.points };
}

/** Reads the data from front to back. Each pattern begins where the last one ended. */
class Reader {
  private position = 0;

  constructor(private readonly data: string) {}

  isAtEnd(): boolean {
    return this.matchOf(REST) !== null;
  }

  hasArgument(): boolean {
    return this.matchOf(ARGUMENT) !== null;
  }

  next(pattern: RegExp): string | null {
    const match = this.matchOf(pattern);
    this.position += match?.[0].length ?? 0;
    return match?.[1] ?? null;
  }

  /** @returns the arguments of a command; null when one is missing */
  values(command: Command): number[] | null {
    const values: number[] = [];
    for (let index = 0; index < ARGUMENTS[command]; index += 1) {
      const text = this.next(command === 'a' && (index === 3 || index === 4) ? FLAG : ARGUMENT);
      if (text === null) return null;
      values.push(Number(text));
    }
    return values;
  }

  private matchOf(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    return pattern.exec(this.data);
  }
}

interface Point {
  x: number;
  y: number;
}

/** Follows a path, and notes how far it gets. */
class Pen {
  reach = 0;
  points = 0;
  private at: Point = { x: 0, y: 0 };
  private start: Point = this.at;
  /** The last control point of a curve, which the next one may reflect. */
  private control: Point = this.at;
  private kind: Kind = null;

  draw(command: Command, values: readonly number[], isRelative: boolean): void {
    const from = this.at;
    const points = this.pointsOf(command, values, isRelative);
    const kind = KINDS[command] ?? null;
    if (command === 's' || command === 't') points.unshift(this.reflected(kind));
    this.at = points.at(-1) ?? this.start;
    if (command === 'm') this.start = this.at;
    this.control = points.at(-2) ?? this.at;
    this.kind = kind;
    for (const { x, y } of points) this.reach = Math.max(this.reach, Math.abs(x), Math.abs(y));
    if (command === 'a') this.reach = Math.max(this.reach, this.reachOfArc(values, from));
    this.points += command === 'a' ? POINTS_OF_ARC : 1;
  }

  private pointsOf(command: Command, values: readonly number[], isRelative: boolean): Point[] {
    const origin = isRelative ? this.at : { x: 0, y: 0 };
    const [first = 0] = values;
    if (command === 'h') return [{ x: origin.x + first, y: this.at.y }];
    if (command === 'v') return [{ x: this.at.x, y: origin.y + first }];
    const coordinates = command === 'a' ? values.slice(5) : values;
    return coordinates.flatMap((x, index) =>
      index % 2 === 0 ? [{ x: origin.x + x, y: origin.y + (coordinates[index + 1] ?? 0) }] : [],
    );
  }

  /** No point of an arc is further from its ends than the diameter. */
  private reachOfArc(values: readonly number[], from: Point): number {
    return Math.max(Math.abs(this.at.x), Math.abs(this.at.y)) + 2 * radiusOf(values, from, this.at);
  }

  private reflected(kind: Kind): Point {
    if (this.kind !== kind) return this.at;
    return { x: 2 * this.at.x - this.control.x, y: 2 * this.at.y - this.control.y };
  }
}

/** The larger radius of an arc, after radii that are too small for its ends are made larger (SVG 2, B.2.5). */
function radiusOf([rx = 0, ry = 0, degrees = 0]: readonly number[], from: Point, to: Point): number {
  if (rx === 0 || ry === 0) return 0;
  const angle = (degrees * Math.PI) / 180;
  const [dx, dy] = [(from.x - to.x) / 2, (from.y - to.y) / 2];
  const along = (Math.cos(angle) * dx + Math.sin(angle) * dy) / rx;
  const across = (Math.cos(angle) * dy - Math.sin(angle) * dx) / ry;
  return Math.max(1, Math.hypot(along, across)) * Math.max(Math.abs(rx), Math.abs(ry));
}
