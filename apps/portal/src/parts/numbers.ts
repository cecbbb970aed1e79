import { perLocale, t } from '../texts/texts.js';

const integer = perLocale((locale) => new Intl.NumberFormat(locale));
const percent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }));
const megabytes = perLocale((locale) => sizeFormat(locale, 'megabyte'));
const gigabytes = perLocale((locale) => sizeFormat(locale, 'gigabyte'));
const plurals = perLocale((locale) => new Intl.PluralRules(locale));

const MB_PER_GB = 1_024;

export function formatCount(count: number): string {
  return integer().format(count);
}

/** @returns such as `20,000+`, when the API counts no further */
export function formatTotal({ count, more }: { count: number; more: boolean }): string {
  return `${formatCount(count)}${more ? '+' : ''}`;
}

/** @param fraction as the API's rates: 0.02 is 2 %. */
export function formatRate(fraction: number): string {
  return percent().format(fraction);
}

/** For every limit of the API 0 means unlimited. */
export function formatLimit(limit: number): string {
  return limit === 0 ? t('page.unlimited') : integer().format(limit);
}

export function formatMegabytes(mb: number): string {
  return mb < MB_PER_GB ? megabytes().format(mb) : gigabytes().format(mb / MB_PER_GB);
}

/** Returns a number with its noun: `1 domain`, `2 domains`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${integer().format(count)} ${plurals().select(count) === 'one' ? one : many}`;
}

function sizeFormat(locale: string, unit: 'megabyte' | 'gigabyte'): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 });
}
