import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (password: string, salt: string, length: number) => Promise<Buffer>;
const BYTES = 16;

/**
 * The fingerprint of a secret key. It takes scrypt to compute, so that a manifest, which anybody may read, does not
 * help to guess the key.
 *
 * @param installation the id of the installation: two installations with one key have different fingerprints
 */
export async function secretKeyPrint(secretKey: string, installation: string): Promise<string> {
  return (await derive(secretKey, `mailstead backup ${installation}`, BYTES)).toString('hex');
}

export async function isSecretKeyOf(print: string, secretKey: string, installation: string): Promise<boolean> {
  const own = Buffer.from(await secretKeyPrint(secretKey, installation));
  const given = Buffer.from(print);
  return own.length === given.length && timingSafeEqual(own, given);
}
