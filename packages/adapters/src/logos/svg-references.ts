import { ruleOf, type Target, targetOf } from './svg-rules.js';

interface Reference {
  id: string;
  target: Target;
  /** The id of the element that has it; null without an id. */
  from: string | null;
  attribute: string;
}

/** A browser draws a clip path again for each of them. */
const MAX_CLIPPED = 100;

/**
 * The ids and references of an SVG. Each reference leads to a gradient or a clip path of the same file. Clip paths are
 * not nested and chains of gradients are short, so that no file makes a browser draw for long.
 */
export class SvgReferences {
  private readonly targets = new Map<string, Target | null>();
  private readonly references: Reference[] = [];
  private repeated: string | null = null;
  private isNested = false;

  /** @param isInClipPath whether the element is a clip path or in one */
  declare(element: string, fields: ReadonlyMap<string, string>, isInClipPath: boolean): void {
    const from = fields.get('id') ?? null;
    if (from !== null) {
      if (this.targets.has(from)) this.repeated ??= from;
      this.targets.set(from, targetOf(element));
    }
    for (const [attribute, value] of fields) {
      const target = ruleOf(element, attribute)?.refersTo;
      const id = target === undefined ? undefined : /#([^)]+)/.exec(attribute === 'href' ? value : urlOf(value))?.[1];
      if (target === undefined || id === undefined) continue;
      if (target === 'clipPath' && isInClipPath) this.isNested = true;
      this.references.push({ id, target, from, attribute });
    }
  }

  /** @returns what is wrong with the ids and references; null when nothing is */
  problem(): string | null {
    if (this.repeated !== null) return `has the id ${this.repeated} twice`;
    if (this.isNested) return 'has a clip path in a clip path';
    const lost = this.references.find(({ id, target }) => this.targets.get(id) !== target);
    if (lost !== undefined) return `has a reference to #${lost.id}, which is no ${nounOf(lost.target)} of the file`;
    if (this.references.filter(({ target }) => target === 'clipPath').length > MAX_CLIPPED)
      return `has more than ${MAX_CLIPPED} elements with a clip path`;
    const chained = this.references.filter(({ attribute }) => attribute === 'href');
    const next = new Map(chained.flatMap(({ from, id }) => (from === null ? [] : [[from, id] as const])));
    const long = chained.find(({ id }) => next.has(next.get(id) ?? ''));
    return long === undefined ? null : `has a chain of gradients from #${long.id} on`;
  }
}

function urlOf(value: string): string {
  return value.startsWith('url(') ? value : '';
}

function nounOf(target: Target): string {
  return target === 'clipPath' ? 'clip path' : 'gradient';
}
