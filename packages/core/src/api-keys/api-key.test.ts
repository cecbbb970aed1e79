import { anApiKey } from '../testing/builders.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const ONE_MS = 1;

describe('an API key', () => {
  it('can be used while it is active and not expired', () => {
    expect(() => anApiKey({ expiresAt: null }).refuseUnusable(NOW)).not.toThrow();
    expect(() => anApiKey({ expiresAt: new Date(NOW.getTime() + ONE_MS) }).refuseUnusable(NOW)).not.toThrow();
  });

  it('is refused from its expiry time on', () => {
    expect(() => anApiKey({ expiresAt: NOW }).refuseUnusable(NOW)).toThrow(
      expect.objectContaining({ code: 'api_key_expired' }),
    );
  });

  it('is refused as inactive when it is inactive and expired', () => {
    expect(() => anApiKey({ active: false, expiresAt: NOW }).refuseUnusable(NOW)).toThrow(
      expect.objectContaining({ code: 'api_key_inactive' }),
    );
  });
});
