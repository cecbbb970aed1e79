import type { PortalLink } from '../../api/shapes.js';

/** What a link shows, and how long it lasts. */
export const LINK_KINDS: Record<PortalLink['scope'], { short: string; label: string; note: string }> = {
  dns: {
    short: 'DNS records',
    label: 'See the DNS records of the domain',
    note: 'It can be used any number of times until it ends. It shows the DNS page and nothing else.',
  },
  manage: {
    short: 'The domain',
    label: 'Manage the domain',
    note: 'It can be used once. Whoever enters with it manages the mailboxes and aliases of this domain for up to 12 hours.',
  },
};
