import { randomBytes } from 'node:crypto';
import { RandomSource } from '@mailstead/core/random-source';

export class CryptoRandomSource extends RandomSource {
  override hex(bytes: number): string {
    return randomBytes(bytes).toString('hex');
  }

  override secret(): string {
    return randomBytes(32).toString('base64url');
  }
}
