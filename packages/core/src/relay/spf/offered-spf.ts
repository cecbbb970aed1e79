import { literalName } from './domain-spec.js';
import { parseSpf, type SpfTerm } from './spf-record.js';

/**
 * The record that a domain should have in place of its published one: with the include once, as the first term, where
 * no other term, no error of another record and no number of look-ups keeps a receiver from it. Terms that are wrong
 * are left out, because one of them makes the whole record an error (RFC 7208 section 4.6) and nobody can know what it
 * should be.
 */
export function offeredSpf(published: string, domain: string, include: string): string {
  const { terms, unread, redirect, faults } = parseSpf(published);
  const left = new Set([...terms, ...unread].filter((term) => isOurs(term, domain, include)).map(({ text }) => text));
  const wrong = new Map<string, number>();
  for (const { term } of faults) wrong.set(term, (wrong.get(term) ?? 0) + 1);
  const kept: string[] = [];
  // From the end: of a modifier that is there twice, the second one is wrong.
  for (const word of published.split(' ').slice(1).toReversed()) {
    const count = wrong.get(word) ?? 0;
    if (count > 0) wrong.set(word, count - 1);
    else if (word !== '' && !left.has(word)) kept.push(word);
  }
  const isEnded = redirect !== null || terms.some(({ name }) => name === 'all');
  const end = faults.length > 0 && !isEnded ? ['~all'] : [];
  return ['v=spf1', `include:${include}`, ...kept.toReversed(), ...end].join(' ');
}

/** The first host that a record includes; null when there is none. */
export function includedBy(record: string): string | null {
  const target = parseSpf(record).terms.find(({ name }) => name === 'include')?.target ?? null;
  return target === null ? null : literalName(target);
}

/** Also the include to which the panel of a DNS provider appended the domain. */
function isOurs({ name, target }: SpfTerm, domain: string, include: string): boolean {
  const host = name === 'include' && target !== null ? literalName(target) : null;
  return host === include || host === `${include}.${domain}`;
}
