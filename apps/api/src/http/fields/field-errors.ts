import type { FieldError } from '@mailstead/core/errors';

/** The most unknown names, and the most wrong items of a list, that a response names. The others are counted. */
export const MOST_NAMED = 20;
/** The most characters of an unknown name in a response. */
const LONGEST_NAME = 64;

/** How many unknown names a response may still have. One for a whole request, also for one with many items. */
export interface NamesLeft {
  count: number;
}

export function allNames(): NamesLeft {
  return { count: MOST_NAMED };
}

/** Names that nothing knows: the first ones as they are shown, and how many there are. */
export class UnknownNames {
  readonly first: string[] = [];
  count = 0;

  add(name: string): void {
    if (this.first.length < MOST_NAMED) this.first.push(shown(name));
    this.count += 1;
  }
}

/** The errors of a query or of a body. Its size does not grow with what nobody asked for: that is counted, not made. */
export class FieldErrors {
  private readonly known: FieldError[] = [];
  private readonly unknown: FieldError[] = [];
  private unnamed = 0;

  /** @param noun what an unknown name is not */
  constructor(
    private readonly namesLeft: NamesLeft = allNames(),
    private readonly noun: 'field' | 'parameter' = 'field',
  ) {}

  add(field: string, message: string): void {
    this.known.push({ field, message });
  }

  /** @param parent the path of the object that has the names; empty for the body or the query itself */
  addUnknown(parent: string, { first, count }: UnknownNames): void {
    const named = first.slice(0, this.namesLeft.count);
    this.namesLeft.count -= named.length;
    this.unnamed += count - named.length;
    for (const name of named) {
      const field = parent === '' ? name : `${parent}.${name}`;
      this.unknown.push({ field, message: `is not a known ${this.noun}` });
    }
  }

  /** Adds how many items of a list are wrong besides those that were named. */
  addMoreItems(field: string, count: number): void {
    if (count > 0) this.add(field, `has ${count} more ${count === 1 ? 'item that is' : 'items that are'} wrong`);
  }

  all(): FieldError[] {
    const errors = [...this.known, ...this.unknown];
    if (this.unnamed > 0) {
      const nouns = this.unnamed === 1 ? `${this.noun} that is` : `${this.noun}s that are`;
      errors.push({ field: '', message: `has ${this.unnamed} more ${nouns} not known` });
    }
    return errors;
  }
}

function shown(name: string): string {
  // A character has at most two code units.
  const characters = Array.from(name.slice(0, 2 * LONGEST_NAME + 2));
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : name;
}
