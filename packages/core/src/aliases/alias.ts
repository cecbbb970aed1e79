import type { Address, AliasAddress } from '../mailboxes/address.js';

/** The maximum number of destinations of one address. */
export const MAX_DESTINATIONS = 50;

/** One address with one destination. An address with several destinations has several aliases. */
export class Alias {
  readonly id!: number;
  readonly domainId!: number;
  /** `local@domain`, or `@domain` for the catch-all. */
  readonly address!: Address | AliasAddress;
  readonly destination!: Address;
  /** Null for a destination outside the partner's domains. */
  readonly destinationMailboxId!: number | null;
  readonly createdAt!: Date;

  private constructor() {}

  static create(values: Omit<Alias, 'id' | 'catchAll'>): Alias {
    return Object.assign(new Alias(), { id: 0 }, values);
  }

  get catchAll(): boolean {
    return this.address.startsWith('@');
  }
}
