import { formatMegabytes } from '../../parts/numbers.js';

const BYTES_PER_MB = 1_048_576;

export function formatBytes(bytes: number): string {
  return formatMegabytes(bytes / BYTES_PER_MB);
}

/** @param mb null without Dovecot, which measures it */
export function formatStorage(mb: number | null): string {
  return mb === null ? 'not known' : formatMegabytes(mb);
}
