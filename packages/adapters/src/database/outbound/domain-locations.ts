import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Row } from '../driver/database.js';

/** The ids of a domain and its parent, under which their counters are stored. */
export interface DomainLocation {
  id: number;
  parentId: number | null;
}

/** Names in each of two generations. */
const MOST_LOCATIONS = 100_000;

/**
 * A cache of the ids of domain names. It can be outdated. A batch uses it to lock its counters in the first round trip,
 * and then checks the ids with the rows that it reads under the locks. Every batch learns its names again, and a name
 * is forgotten when at least as many others as a generation has were learned after it.
 */
export class DomainLocations {
  // Not one map in the order of use, in which each use deletes a name and adds it: V8 keeps the place of a deleted name
  // in the chain of its hash until the map is built anew, and looks through the chain before it adds the name again.
  // That took milliseconds of each batch when few of 100,000 names were used.
  private recent = new Map<DomainName, DomainLocation>();
  private former = new Map<DomainName, DomainLocation>();

  constructor(private readonly most = MOST_LOCATIONS) {}

  has(name: DomainName): boolean {
    return this.find(name) !== undefined;
  }

  find(name: DomainName): DomainLocation | undefined {
    return this.recent.get(name) ?? this.former.get(name);
  }

  /** @param found the domains among `names` that exist */
  learn(names: Iterable<DomainName>, found: ReadonlyMap<DomainName, DomainLocation>): void {
    for (const name of names) {
      const location = found.get(name);
      if (location === undefined) this.forget(name);
      else this.add(name, location);
    }
  }

  private add(name: DomainName, location: DomainLocation): void {
    if (this.recent.size >= this.most && !this.recent.has(name)) {
      this.former = this.recent;
      this.recent = new Map();
    }
    this.recent.set(name, location);
  }

  private forget(name: DomainName): void {
    this.recent.delete(name);
    this.former.delete(name);
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
