import type { Caller } from '../../../api/shapes.js';

/** For each kind of caller. It says only that the first steps were hidden in this browser. */
const HIDDEN = 'mailstead-first-steps-hidden';

/** @param kind `as`: an operator who sees as a partner */
type Kind = Caller['kind'] | 'as';

export function isHiddenFor(kind: Kind): boolean {
  try {
    return localStorage.getItem(`${HIDDEN} ${kind}`) !== null;
  } catch {
    return false;
  }
}

export function hideFor(kind: Kind): void {
  try {
    localStorage.setItem(`${HIDDEN} ${kind}`, '');
  } catch {
    // Without a storage they are hidden until the page is loaded again.
  }
}
