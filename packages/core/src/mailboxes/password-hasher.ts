/** Hashes mailbox passwords off the main thread, in a form that Dovecot verifies. */
export abstract class PasswordHasher {
  /** @throws AppError `overloaded` when too many hashes are waiting already. */
  abstract hash(password: string): Promise<string>;
}
