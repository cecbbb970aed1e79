import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Row } from '../driver/database.js';

/** The ids by which a domain's counters are found. */
export interface DomainLocation {
  id: number;
  parentId: number | null;
}

const MOST_LOCATIONS = 100_000;

/**
 * Where domain names were found last. It is a guess and never an answer: with it a batch locks its counters in its first
 * round trip, and the rows that are read behind the locks say whether it was right.
 */
export class DomainLocations {
  private readonly locations = new Map<DomainName, DomainLocation>();

  has(name: DomainName): boolean {
    return this.locations.has(name);
  }

  find(name: DomainName): DomainLocation | undefined {
    return this.locations.get(name);
  }

  /** @param found the domains among `names` as they are. */
  learn(names: Iterable<DomainName>, found: ReadonlyMap<DomainName, DomainLocation>): void {
    for (const name of names) {
      const location = found.get(name);
      if (location === undefined) this.locations.delete(name);
      else this.put(name, location);
    }
  }

  private put(name: DomainName, location: DomainLocation): void {
    if (this.locations.size >= MOST_LOCATIONS && !this.locations.has(name)) this.locations.clear();
    this.locations.set(name, location);
  }
}

export function locationsOf(rows: readonly Row[]): Map<DomainName, DomainLocation> {
  return new Map(rows.map((row) => [row.name as DomainName, toPlace(row)]));
}

export function isSameLocation(one: DomainLocation | undefined, other: DomainLocation | undefined): boolean {
  return one?.id === other?.id && one?.parentId === other?.parentId;
}

function toPlace({ id, parent_id: parentId }: Row): DomainLocation {
  return { id: Number(id), parentId: parentId === null ? null : Number(parentId) };
}
