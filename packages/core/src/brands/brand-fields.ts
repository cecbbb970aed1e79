import { parseForeignAddress } from '../mailboxes/address.js';

const COLOUR = /^#[0-9a-f]{6}$/i;
const LONGEST_URL = 500;

/** @returns null when the text is not `#rrggbb` */
export function parseColour(text: string): string | null {
  return COLOUR.test(text) ? text.toLowerCase() : null;
}

/** @returns null when mail cannot be sent to the address */
export function parseSupportEmail(text: string): string | null {
  return parseForeignAddress(text)?.address ?? null;
}

/** @returns the URL as `URL` writes it; null when it is not https, or has a user, a password or no host */
export function parseSupportUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hostname, href } = new URL(text);
  const isFit = protocol === 'https:' && username === '' && password === '' && hostname !== '';
  return isFit && href.length <= LONGEST_URL ? href : null;
}
