const INTEGER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });
const MEGABYTES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
const GIGABYTES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });

const MB_PER_GB = 1_024;

export function formatCount(count: number): string {
  return INTEGER.format(count);
}

/** @param fraction as the API's rates: 0.02 is 2 %. */
export function formatRate(fraction: number): string {
  return PERCENT.format(fraction);
}

/** For every limit of the API 0 means unlimited. */
export function formatLimit(limit: number): string {
  return limit === 0 ? 'unlimited' : INTEGER.format(limit);
}

export function formatMegabytes(mb: number): string {
  return mb < MB_PER_GB ? MEGABYTES.format(mb) : GIGABYTES.format(mb / MB_PER_GB);
}

/** Returns a number with its noun: `1 domain`, `2 domains`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${INTEGER.format(count)} ${count === 1 ? one : many}`;
}
