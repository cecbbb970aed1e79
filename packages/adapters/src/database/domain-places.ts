import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Row } from './database.js';

/** The ids by which a domain's counters are found. */
export interface DomainPlace {
  id: number;
  parentId: number | null;
}

const MOST_PLACES = 100_000;

/**
 * Where domain names were found last. It is a guess and never an answer: with it a batch locks its counters in its first
 * round trip, and the rows that are read behind the locks say whether it was right.
 */
export class DomainPlaces {
  private readonly places = new Map<DomainName, DomainPlace>();

  has(name: DomainName): boolean {
    return this.places.has(name);
  }

  find(name: DomainName): DomainPlace | undefined {
    return this.places.get(name);
  }

  /** @param found the domains among `names` as they are. */
  learn(names: Iterable<DomainName>, found: ReadonlyMap<DomainName, DomainPlace>): void {
    for (const name of names) {
      const place = found.get(name);
      if (place === undefined) this.places.delete(name);
      else this.put(name, place);
    }
  }

  private put(name: DomainName, place: DomainPlace): void {
    if (this.places.size >= MOST_PLACES && !this.places.has(name)) this.places.clear();
    this.places.set(name, place);
  }
}

export function placesOf(rows: readonly Row[]): Map<DomainName, DomainPlace> {
  return new Map(rows.map((row) => [row.name as DomainName, toPlace(row)]));
}

export function isSamePlace(one: DomainPlace | undefined, other: DomainPlace | undefined): boolean {
  return one?.id === other?.id && one?.parentId === other?.parentId;
}

function toPlace({ id, parent_id: parentId }: Row): DomainPlace {
  return { id: Number(id), parentId: parentId === null ? null : Number(parentId) };
}
