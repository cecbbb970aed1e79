import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { reasonOf } from '@mailstead/core/errors';
import { Decrypter, Encrypter } from 'age-encryption';

/** A step of a pipeline: reads the bytes of the step before it. */
export type Step = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** @throws Error for what is no recipient of age */
export function encrypterFor(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new Error('--encrypt-for: must be a recipient of age, such as age1…');
  }
  return encrypter;
}

export function encryptedBy(encrypter: Encrypter): Step {
  return (chunks) => inWeb(chunks, (plain) => encrypter.encrypt(plain));
}

export function decryptedBy(decrypter: Decrypter): Step {
  return (chunks) => inWeb(chunks, (cipher) => decrypter.decrypt(cipher));
}

async function* inWeb(
  chunks: AsyncIterable<Uint8Array>,
  change: (bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  const changed = await change(Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>);
  yield* Readable.fromWeb(changed as Parameters<typeof Readable.fromWeb>[0]);
}

/**
 * Reads a file of identities: lines of `AGE-SECRET-KEY-1…`, and comments.
 *
 * @throws Error when the file cannot be read or has no identity
 */
export async function decrypterOf(identityFile: string): Promise<Decrypter> {
  const text = await readFile(identityFile, 'utf8').catch((error: unknown) => {
    throw new Error(`--identity: ${identityFile} cannot be read (${reasonOf(error)})`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    throw new Error(`--identity: ${identityFile} is no file of age identities`);
  }
  if (identities.length === 0) throw new Error(`--identity: ${identityFile} has no age identity`);
  return decrypter;
}
