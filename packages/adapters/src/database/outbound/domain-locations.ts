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
 * and then checks the ids with the rows that it reads under the locks. When the cache is full, a new name replaces the
 * one that was learned the longest ago; every batch learns its names again.
 */
export class DomainLocations {
  /** The name that was learned the longest ago is first. */
  private readonly locations = new Map<DomainName, DomainLocation>();

  constructor(private readonly most = MOST_LOCATIONS) {}

  has(name: DomainName): boolean {
    return this.locations.has(name);
  }

  find(name: DomainName): DomainLocation | undefined {
    return this.locations.get(name);
  }

  /** @param found the domains among `names` that exist */
  learn(names: Iterable<DomainName>, found: ReadonlyMap<DomainName, DomainLocation>): void {
    for (const name of names) {
      this.locations.delete(name);
      const location = found.get(name);
      if (location !== undefined) this.locations.set(name, location);
    }
    for (const oldest of this.locations.keys()) {
      if (this.locations.size <= this.most) return;
      this.locations.delete(oldest);
    }
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
