import { randomBytes } from 'node:crypto';
import { needs } from '@mailstead/core/needs';
import { RandomSource } from '@mailstead/core/random-source';

@needs()
export class CryptoRandomSource extends RandomSource {
  override hex(bytes: number): string {
    return randomBytes(bytes).toString('hex');
  }

  override secret(): string {
    return randomBytes(32).toString('base64url');
  }
}
