import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Row } from '../driver/database.js';

/** The ids of a domain and its parent, under which their counters are stored. */
export interface DomainLocation {
  id: number;
  parentId: number | null;
}

const MOST_LOCATIONS = 100_000;

/**
 * A cache of the ids of domain names. It can be outdated. A batch uses it to lock its counters in the first round trip,
 * and then checks the ids with the rows that it reads under the locks.
 */
export class DomainLocations {
  private readonly locations = new Map<DomainName, DomainLocation>();

  has(name: DomainName): boolean {
    return this.locations.has(name);
  }

  find(name: DomainName): DomainLocation | undefined {
    return this.locations.get(name);
  }

  /** @param found the domains among `names` that exist */
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
  return new Map(rows.map((row) => [row.name as DomainName, toLocation(row)]));
}

export function isSameLocation(one: DomainLocation | undefined, other: DomainLocation | undefined): boolean {
  return one?.id === other?.id && one?.parentId === other?.parentId;
}

function toLocation({ id, parent_id: parentId }: Row): DomainLocation {
  return { id: Number(id), parentId: parentId === null ? null : Number(parentId) };
}
