import type { Address, AliasAddress } from '../mailboxes/address.js';

/** The maximum number of destinations of one address. */
export const MAX_DESTINATIONS = 50;

/** One address with one destination. An address with several destinations has several aliases. */
export class Alias {
  readonly id!: number;
  readonly domainId!: number;
  /** `local@domain`, or `@domain` for the catch-all. */
  readonly address!: Address | AliasAddress;
  destination!: Address;
  /** Null for a destination outside the partner's domains. */
  destinationMailboxId!: number | null;
  readonly createdAt!: Date;
  /** When the alias was last restored after a deletion, as a creation time of its partner; null when it never was. */
  readonly restoredAt!: Date | null;

  private constructor() {}

  static create(values: Omit<Alias, 'id' | 'catchAll' | 'restoredAt'>): Alias {
    return Object.assign(new Alias(), { id: 0, restoredAt: null }, values);
  }

  get catchAll(): boolean {
    return this.address.startsWith('@');
  }
}

/** Compares two destinations without case, like the unique index of MariaDB. */
export function isSameDestination(left: Address, right: Address): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
