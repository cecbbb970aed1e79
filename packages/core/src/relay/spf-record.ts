/** The terms of an SPF record that need a DNS look-up of the receiver (RFC 7208 section 4.6.4). */
const COSTLY = new Set(['include', 'a', 'mx', 'ptr', 'exists']);
const MECHANISMS = new Set([...COSTLY, 'all', 'ip4', 'ip6']);

interface SpfMechanism {
  qualifier: '+' | '-' | '~' | '?';
  name: string;
  /** The text after the colon, lower case, without a trailing dot; empty without a colon. */
  value: string;
  /** Whether its evaluation needs a DNS look-up. */
  costly: boolean;
}

export interface SpfRecord {
  /** The mechanisms up to and including `all`; receivers do not read further. */
  mechanisms: SpfMechanism[];
  /** The mechanisms after `all`. */
  unread: SpfMechanism[];
  /** The target of `redirect=`; null when there is none, or when the record has `all` (RFC 7208 section 6.1). */
  redirect: string | null;
  /**
   * The first word that is not part of SPF; it makes the whole record invalid (RFC 7208 section 4.6). Null when there
   * is none.
   */
  unknown: string | null;
}

export function isSpf(value: string): boolean {
  return /^v=spf1( |$)/i.test(value);
}

export function parseSpf(record: string): SpfRecord {
  const parsed: SpfRecord = { mechanisms: [], unread: [], redirect: null, unknown: null };
  let ended = false;
  for (const word of record.split(' ').slice(1)) {
    if (word === '') continue;
    const [, modifier, argument] = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(word) ?? [];
    if (modifier !== undefined) {
      if (modifier.toLowerCase() === 'redirect') parsed.redirect = hostOf(argument ?? '');
      continue;
    }
    const mechanism = parseMechanism(word);
    if (mechanism === null) {
      parsed.unknown ??= word;
      continue;
    }
    (ended ? parsed.unread : parsed.mechanisms).push(mechanism);
    if (mechanism.name === 'all') ended = true;
  }
  if (ended) parsed.redirect = null;
  return parsed;
}

function parseMechanism(word: string): SpfMechanism | null {
  const [, sign = '', given = '', value = ''] = /^([+~?-]?)([a-z0-9]+)(?:\/[^:]*|:(.*))?$/i.exec(word) ?? [];
  const name = given.toLowerCase();
  if (!MECHANISMS.has(name) || (name === 'include' && value === '')) return null;
  const qualifier = sign === '-' || sign === '~' || sign === '?' ? sign : '+';
  return { qualifier, name, value: hostOf(value), costly: COSTLY.has(name) };
}

function hostOf(value: string): string {
  return value.toLowerCase().replace(/\.$/, '');
}
