import { asRead } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { ParsedAddress } from './address.js';

/** A list of the passwords that attackers try first. */
export abstract class CommonPasswords {
  /** @param password in lower case, without blanks around it. */
  abstract has(password: string): Promise<boolean>;
}

/** Refuses passwords that are guessed first. A password is compared without its case and without blanks around it. */
@needs(CommonPasswords)
export class CommonPasswordRule {
  constructor(private readonly common: CommonPasswords) {}

  /**
   * Refuses a common password, one repeated character, and the parts of the mailbox's own address, as they are
   * stored and as people read them, which are known to whoever sends mail to it.
   *
   * @throws AppError password_too_common
   */
  async check(password: string, { address, localPart, domain }: ParsedAddress): Promise<void> {
    const text = password.normalize('NFKC').trim().toLowerCase();
    const read = asRead(domain);
    const parts = [address, localPart, domain, read, `${localPart}@${read}`];
    if (new Set(text).size <= 1 || parts.some((part) => part === text)) throw tooCommon();
    if (await this.common.has(text)) throw tooCommon();
  }
}

function tooCommon(): AppError {
  const message = 'must not be a common password, one repeated character or a part of the address';
  return new AppError('password_too_common', { errors: [{ field: 'password', message }] });
}
