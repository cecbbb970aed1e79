import { SealedWebhookSecrets } from './sealed-webhook-secrets.js';

const KEY = 'a-secret-key-of-the-tests-0123456789';

describe('the sealed secrets of webhooks', () => {
  const secrets = new SealedWebhookSecrets(KEY);

  it('open with the same key for the same endpoint only', () => {
    const secret = secrets.create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const sealed = secrets.seal(secret, 7);
    expect(sealed.length).toBeLessThanOrEqual(160);
    expect(sealed).not.toContain(secret.slice(6, 20));
    expect(new SealedWebhookSecrets(KEY).open(sealed, 7)).toBe(secret);
    expect(secrets.open(sealed, 8)).toBeNull();
    expect(new SealedWebhookSecrets(`${KEY}x`).open(sealed, 7)).toBeNull();
  });

  it('do not open when any character was changed', () => {
    const sealed = secrets.seal(secrets.create(), 1);
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = sealed[at] === 'A' ? 'B' : 'A';
      expect(secrets.open(`${sealed.slice(0, at)}${changed}${sealed.slice(at + 1)}`, 1)).toBeNull();
    }
    for (const text of ['', '.', 'x', sealed.slice(0, 20)]) expect(secrets.open(text, 1)).toBeNull();
  });
});
