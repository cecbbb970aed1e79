/** A change, and the revision of what its maker saw. */
export interface BasedOn<Body> {
  body: Body;
  /** Undefined: whatever there is now, and with a process of the former release (@until 5.3). */
  revision?: number | undefined;
}

/** With these headers a change is refused when somebody else has made another one since. */
export function ifMatch(revision: number | undefined): Record<string, string> {
  return revision === undefined ? {} : { 'If-Match': `"${revision}"` };
}
