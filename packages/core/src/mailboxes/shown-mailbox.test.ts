import type { Address } from './address.js';
import { Mailbox } from './mailbox.js';
import { shownMailbox, shownNewMailbox } from './shown-mailbox.js';

const VALUES = {
  domainId: 1,
  email: 'info@example.com' as Address,
  localPart: 'info',
  name: null,
  passwordHash: '$2b$12$secret',
  quotaMb: 1_024,
  outboundDailyLimit: 0,
  home: '0'.repeat(32),
  createdAt: new Date(),
  revokedAt: null,
};

describe('what an audit row shows of a mailbox', () => {
  it('contains neither its password nor where its mail is', () => {
    const text = JSON.stringify(shownMailbox(Mailbox.create(VALUES)));
    expect(text).not.toContain('secret');
    expect(text).not.toContain(VALUES.home);
  });

  it('is, of a new one, what was chosen, in a fixed order', () => {
    const shown = { name: null, quota_mb: 1_024, outbound_daily_limit: 0 };
    expect(JSON.stringify(shownNewMailbox(Mailbox.create({ ...VALUES, externalRef: null })))).toBe(
      JSON.stringify(shown),
    );
    expect(JSON.stringify(shownNewMailbox(Mailbox.create({ ...VALUES, externalRef: 'a' })))).toBe(
      JSON.stringify({ ...shown, external_ref: 'a' }),
    );
  });
});
