import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { WebhookSecrets } from '@mailstead/core/webhooks/webhook-secrets';

const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/**
 * AES-256-GCM with a key derived from `SECRET_KEY`. A sealed secret is `<key id>.<iv, tag and text in base64url>`; the
 * id of the endpoint is its additional data, so that it opens in no other row.
 */
export class SealedWebhookSecrets extends WebhookSecrets {
  private readonly key: Buffer;
  private readonly keyId: string;

  constructor(secretKey: string) {
    super();
    const derived = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', secretKey, '', info, bytes));
    this.key = derived('mailstead webhook secrets', 32);
    this.keyId = derived('mailstead webhook secrets, id of the key', 6).toString('base64url');
  }

  override create(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  override seal(secret: string, endpointId: number): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv).setAAD(dataOf(endpointId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${this.keyId}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  override open(sealed: string, endpointId: number): string | null {
    const [keyId, text = ''] = sealed.split('.');
    if (keyId !== this.keyId) return null;
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(dataOf(endpointId))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

function dataOf(endpointId: number): Buffer {
  return Buffer.from(`webhook endpoint ${endpointId}`);
}
