import type { Address } from './address.js';

/**
 * A mailbox. Its mail is stored under `home`, not under its address, so that an address that is created again starts
 * without mail.
 */
export class Mailbox {
  readonly id!: number;
  readonly domainId!: number;
  readonly email!: Address;
  readonly localPart!: string;
  name!: string | null;
  /** A hash that Dovecot verifies: `$2b$…`, or with a scheme prefix of Dovecot. */
  passwordHash!: string;
  /** Megabytes; 0 is unlimited. */
  quotaMb!: number;
  /** Messages a UTC day; 0 is unlimited. */
  outboundDailyLimit!: number;
  /** False: login and submission are refused; mail is still delivered. */
  active!: boolean;
  /** A reference of the partner's own system; not unique. */
  externalRef!: string | null;
  /** 32 random hex digits. */
  readonly home!: string;
  readonly createdAt!: Date;
  /** When the mailbox was last restored after a deletion, as a creation time of its partner; null when it never was. */
  readonly restoredAt!: Date | null;
  /**
   * When the right to log in was last taken away (another password, disabled), or given anew (created, restored), by
   * the database's clock: sessions that began earlier submit no mail. Null for none since this is stored.
   */
  revokedAt!: Date | null;
  /** See `raiseRevision`. */
  revision!: number;

  private constructor() {}

  static create(
    values: Omit<Mailbox, 'id' | 'active' | 'externalRef' | 'restoredAt' | 'revision'> &
      Partial<Pick<Mailbox, 'externalRef'>>,
  ): Mailbox {
    const { externalRef = null } = values;
    return Object.assign(new Mailbox(), { id: 0 }, values, {
      externalRef,
      active: true,
      restoredAt: null,
      revision: 1,
    });
  }
}
