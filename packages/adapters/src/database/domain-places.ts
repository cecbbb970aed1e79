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

  /** @param rows the domains among `names` as they are. @returns whether all of them were known so. */
  learn(names: Iterable<DomainName>, rows: readonly Row[]): boolean {
    const found = new Map(rows.map((row) => [row.name as DomainName, toPlace(row)]));
    let knew = true;
    for (const name of names) knew = this.correct(name, found.get(name)) && knew;
    return knew;
  }

  private correct(name: DomainName, place: DomainPlace | undefined): boolean {
    const known = this.places.get(name);
    if (known?.id === place?.id && known?.parentId === place?.parentId) return true;
    this.places.delete(name);
    if (place === undefined) return false;
    if (this.places.size >= MOST_PLACES) this.places.clear();
    this.places.set(name, place);
    return false;
  }
}

function toPlace({ id, parent_id: parentId }: Row): DomainPlace {
  return { id: Number(id), parentId: parentId === null ? null : Number(parentId) };
}
