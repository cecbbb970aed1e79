import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Decrypter, Encrypter } from 'age-encryption';
import { decryptedBy, encryptedBy, type Step } from './age-files.js';
import type { StoredFile } from './manifest.js';
import type { Progress } from './progress.js';

const OWNER_ONLY = 0o600;
export const ENCRYPTED = '.age';

const unchanged: Step = (chunks) => chunks;

export interface Storing {
  folder: string;
  /** Null for a backup that is not encrypted. */
  encrypter: Encrypter | null;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Stores what `source` gives in a new file (mode 0600), compressed and encrypted as wanted. It is on the disk when this
 * returns.
 */
export async function storeFile(
  path: string,
  source: Readable,
  isCompressed: boolean,
  { folder, encrypter, progress, signal }: Storing,
): Promise<StoredFile> {
  const stored = encrypter === null ? path : path + ENCRYPTED;
  const hash = createHash('sha256');
  let bytes = 0;
  const counted: Step = async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      progress.show(stored, bytes);
      yield chunk;
    }
  };
  const file = createWriteStream(join(folder, stored), { flags: 'wx', mode: OWNER_ONLY, flush: true });
  const encrypted = encrypter === null ? unchanged : encryptedBy(encrypter);
  await (isCompressed
    ? pipeline(source, createGzip(), encrypted, counted, file, { signal })
    : pipeline(source, encrypted, counted, file, { signal }));
  return { path: stored, bytes, sha256: hash.digest('hex') };
}

/** @throws Error when the file is missing or not as it was stored */
export async function verifyFile(
  folder: string,
  { path, bytes, sha256 }: StoredFile,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const damaged = (what: string) => new Error(`The backup is damaged: ${path} ${what}`);
  const found = await stat(join(folder, path)).catch(() => null);
  if (found === null || !found.isFile()) throw damaged('is missing');
  if (found.size !== bytes) throw damaged(`has ${found.size} bytes instead of ${bytes}`);
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of createReadStream(join(folder, path), { signal })) {
    hash.update(chunk as Buffer);
    read += (chunk as Buffer).length;
    progress.show(`checking ${path}`, read);
  }
  if (hash.digest('hex') !== sha256) throw damaged('has other bytes than the manifest says');
}

/** @returns the steps that read a stored file: decrypt it, and decompress it when its name says so */
export function readingSteps(path: string, decrypter: Decrypter | null) {
  const decrypted = decrypter === null ? unchanged : decryptedBy(decrypter);
  const isCompressed = path.replace(ENCRYPTED, '').endsWith('.gz');
  return { decrypted, decompressed: isCompressed ? createGunzip() : null };
}

/** Writes what is in the folder to the disk: its entries, not their bytes. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
