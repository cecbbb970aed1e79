const PORTAL = '/portal';
/** Stands for the origin of the page. */
const ORIGIN = 'https://portal.invalid';

/**
 * Returns the address below `/portal` that `to` names; null when it leads to another place or back to the door.
 * Browsers take `\` for `/`, and what begins with two of them for another host.
 */
export function placeOf(to: string | undefined): string | null {
  if (to === undefined || !to.startsWith('/')) return null;
  const [path = ''] = to.split(/[?#]/, 1);
  if (path.includes('//') || to.includes('\\') || hasControls(to) || !URL.canParse(PORTAL + to, ORIGIN)) return null;
  const { origin, pathname, search } = new URL(PORTAL + to, ORIGIN);
  if (origin !== ORIGIN || !pathname.startsWith(`${PORTAL}/`)) return null;
  const place = pathname.slice(PORTAL.length);
  return place === '/enter' || place.startsWith('/enter/') || place.includes('//') ? null : place + search;
}

/** Browsers leave tabs and ends of lines out of an address. */
function hasControls(text: string): boolean {
  return Array.from(text).some((letter) => letter <= ' ' || letter === '\u007F');
}
