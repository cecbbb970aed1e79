/** The release of this software. It rises with each one; the version of the API, in `X-API-Version`, does not. */
export const SOFTWARE_VERSION = '5.2.0';

/** @returns below 0 when `left` is the older release, 0 when both are the same, and above 0 otherwise */
export function compareVersions(left: string, right: string): number {
  const [ours, theirs] = [left, right].map((version) => version.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (ours?.[index] ?? 0) - (theirs?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
