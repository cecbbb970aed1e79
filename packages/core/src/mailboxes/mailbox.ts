import type { Address } from './address.js';

/** A mailbox. Its stored mail lives under `home`, never under its address, so that an address created again starts empty. */
export class Mailbox {
  readonly id!: number;
  readonly domainId!: number;
  readonly email!: Address;
  readonly localPart!: string;
  name!: string | null;
  /** In a form Dovecot verifies: `$2b$…`, or with its own scheme prefix. */
  passwordHash!: string;
  /** Megabytes; 0 is unlimited. */
  quotaMb!: number;
  /** Messages a UTC day; 0 is unlimited. */
  outboundDailyLimit!: number;
  /** False: no login and no submission; mail is still delivered. */
  active!: boolean;
  /** 32 random hex digits. */
  readonly home!: string;
  readonly createdAt!: Date;

  private constructor() {}

  static create(values: Omit<Mailbox, 'id' | 'active'>): Mailbox {
    return Object.assign(new Mailbox(), { id: 0, active: true }, values);
  }
}
