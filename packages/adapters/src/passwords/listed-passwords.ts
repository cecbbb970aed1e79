import { CommonPasswords } from '@mailstead/core/mailboxes/common-password-rule';
import { needs } from '@mailstead/core/needs';

/** The shortest password that a mailbox may have. Shorter ones in the list are not kept in memory. */
const MIN_LENGTH = 8;

/**
 * The common passwords that the package of zxcvbn-ts lists. Loaded at the first check, because that takes about 40 ms.
 */
@needs()
export class ListedPasswords extends CommonPasswords {
  private loaded: Promise<ReadonlySet<string>> | null = null;

  override async has(password: string): Promise<boolean> {
    this.loaded ??= load();
    return (await this.loaded).has(password);
  }
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH));
}
