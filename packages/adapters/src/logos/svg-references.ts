import { isGradient, ruleOf } from './svg-rules.js';

interface Reference {
  id: string;
  /** The id of the element that has it; null without an id. */
  from: string | null;
  attribute: string;
}

/** The most colours of gradients, counted again for each time that a gradient paints a fill or a stroke. */
const MAX_STOPS = 10_000;

/**
 * The ids and references of an SVG. Each reference leads to a gradient of the same file. Chains of gradients are short,
 * and a gradient with many colours is used a few times only, so that no file makes a browser draw for long.
 */
export class SvgReferences {
  /** The number of colours of each gradient; null for an element that is none. */
  private readonly stops = new Map<string, number | null>();
  private readonly references: Reference[] = [];
  private repeated: string | null = null;
  private gradient: string | null = null;

  declare(element: string, fields: ReadonlyMap<string, string>): void {
    const from = fields.get('id') ?? null;
    if (from !== null) {
      if (this.stops.has(from)) this.repeated ??= from;
      this.stops.set(from, isGradient(element) ? 0 : null);
    }
    if (isGradient(element)) this.gradient = from;
    if (element === 'stop' && this.gradient !== null)
      this.stops.set(this.gradient, (this.stops.get(this.gradient) ?? 0) + 1);
    for (const [attribute, value] of fields) {
      if (ruleOf(element, attribute)?.refers !== true) continue;
      const id = attribute === 'href' ? value.slice(1) : paintedBy(value);
      if (id !== null) this.references.push({ id, from, attribute });
    }
  }

  /**
   * @param uses how many fills and strokes of shapes each reference paints, with those that shapes have from a group
   * @returns what is wrong with the ids and references; null when nothing is
   */
  problem(uses: ReadonlyMap<string, number>): string | null {
    if (this.repeated !== null) return `has the id ${this.repeated} twice`;
    const lost = this.references.find(({ id }) => (this.stops.get(id) ?? null) === null);
    if (lost !== undefined) return `has a reference to #${lost.id}, which is no gradient of the file`;
    const chained = this.references.filter(({ attribute }) => attribute === 'href');
    const next = new Map(chained.flatMap(({ from, id }) => (from === null ? [] : [[from, id] as const])));
    const long = chained.find(({ id }) => next.has(next.get(id) ?? ''));
    if (long !== undefined) return `has a chain of gradients from #${long.id} on`;
    return this.paintedStops(uses, next) > MAX_STOPS
      ? `has gradients of more than ${MAX_STOPS} colours, counted for each shape; use fewer colours`
      : null;
  }

  /** @param next the gradient from which another one has its colours, when it has none */
  private paintedStops(uses: ReadonlyMap<string, number>, next: ReadonlyMap<string, string>): number {
    const ofChain = (id: string | undefined): number =>
      id === undefined ? 0 : (this.stops.get(id) ?? 0) + ofChain(next.get(id));
    return [...uses].reduce((sum, [id, count]) => sum + count * ofChain(id), 0);
  }
}

/** @returns the id of the gradient in a written fill or stroke; null for a colour */
export function paintedBy(paint: string): string | null {
  return /^url\(#([^)]+)/.exec(paint)?.[1] ?? null;
}
