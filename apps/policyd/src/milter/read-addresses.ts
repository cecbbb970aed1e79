import parseStrictly from 'email-addresses';
import libmime from 'libmime';
import parseLoosely from 'nodemailer/lib/addressparser';

export type ReadAddresses = { addresses: readonly string[] } | { problem: string };

/** Limits the parser's work. A long name in encoded words needs a quarter of it. */
const MAX_CHARACTERS = 2_048;
const MAX_PARENTHESES = 10;
/**
 * RFC 5322's 998 bytes minus the longest field name, "Resent-Sender: ". Mail servers fold longer lines, also inside an
 * address.
 */
const MAX_LINE_BYTES = 983;
/** The limit of RFC 5321 and of the API. */
const MAX_ADDRESS = 254;
const FOLDING = /\r?\n(?=[ \t])/g;
const QUOTED_OR_COMMENT = /"(?:[^"\\]|\\[^])*"|\((?:[^()\\]|\\[^])*\)/g;
const DOT_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const PLAIN_LOCAL_PART = new RegExp(`^[ \\t]*(${DOT_ATOM})$`);
const PLAIN_DOMAIN = new RegExp(`^${DOT_ATOM}(?=[ \\t(]|$)`);
/** Obsolete forms that mail programs treat differently. A dot in an unquoted name is obsolete too, but common. */
const OBSOLETE = /^obs-(angle-addr|route|addr-list|mbox-list|group-list|NO-WS-CTL|qp)$/;
/** `claimedAddresses` reads fields of at most 4 KiB. */
const FIELDS_REMEMBERED = 1_000;
const UNCLEAR = 'can be read in more than one way; write name@example.com, with the name before it in double quotes';

const remembered = new Map<string, ReadAddresses>();

/**
 * Reads the addresses of a field by the grammar of RFC 5322. Rejects a field that mail programs could read differently:
 * a lenient parser must find the same addresses, and no others after quotes, comments and encoded words are decoded.
 *
 * @param value the field's value as bytes, folded or not.
 * @returns at least one address, in lower case; or the problem, which completes the sentence "The From field …".
 */
export function readAddresses(value: Buffer): ReadAddresses {
  // Most mailboxes write the same From field in all messages, and the parsers need more time than the rest of the
  // milter.
  const field = value.toString('latin1');
  const known = remembered.get(field);
  if (known !== undefined) return known;
  const read = parse(value);
  if (remembered.size >= FIELDS_REMEMBERED) remembered.clear();
  remembered.set(field, read);
  return read;
}

function parse(value: Buffer): ReadAddresses {
  const folded = textOf(value);
  if (folded === null) return { problem: 'has characters that are neither ASCII nor UTF-8, or control characters' };
  const text = folded.replace(FOLDING, '');
  if (text.trim() === '') return { problem: 'is empty' };
  if (text.length > MAX_CHARACTERS || text.split('(').length > MAX_PARENTHESES) return { problem: 'is too long' };
  if (hasLongLine(value)) return { problem: 'has a line that is too long' };
  const parsed = parseStrictly({ input: text, rfc6532: true, startAt: 'address-list' });
  if (parsed === null) return { problem: UNCLEAR };
  const addresses: string[] = [];
  for (const mailbox of parsed.addresses) {
    if (mailbox.type === 'group') return { problem: 'has a group; it must name addresses only' };
    const { local, domain } = mailbox.parts;
    const written = `${PLAIN_LOCAL_PART.exec(local.tokens)?.[1]}@${PLAIN_DOMAIN.exec(domain.tokens)?.[0]}`;
    if (written !== mailbox.address) return { problem: UNCLEAR };
    if (written.length > MAX_ADDRESS) return { problem: 'has an address that is too long' };
    addresses.push(mailbox.address.toLowerCase());
  }
  const plain = looseAddresses(text);
  const same = plain.length === addresses.length && plain.every((address, index) => address === addresses[index]);
  const undone = looseAddresses(libmime.decodeWords(text).replace(/["\\()]/g, ' '));
  const known = undone.every((address) => addresses.includes(address)) && !hidesAddress(folded, addresses.length);
  const clear = same && known && !hasObsolete(parsed.ast);
  return clear && addresses.length > 0 ? { addresses } : { problem: UNCLEAR };
}

/**
 * Returns true when a quoted string or a comment goes on after a fold, and the field has an `@` beside those of its
 * addresses. For some programs, such as Python's `email.utils.getaddresses`, the fold ends it, and an
 * address may follow.
 */
function hidesAddress(folded: string, addresses: number): boolean {
  const isInside = (folded.match(QUOTED_OR_COMMENT) ?? []).some((part) => part.includes('\n'));
  const isNested = folded.includes('\n') && /\([^)]*\(/.test(folded);
  return (isInside || isNested) && libmime.decodeWords(folded).split('@').length - 1 > addresses;
}

/** Returns the field with its folds; null when its bytes are not text. */
function textOf(value: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    return /[\p{Cc}\u2028\u2029]/u.test(text.replace(FOLDING, '').replaceAll('\t', ' ')) ? null : text;
  } catch {
    return null;
  }
}

function hasLongLine(value: Buffer): boolean {
  const lines = value.toString('latin1').split(/\r?\n/);
  return lines.some(({ length }) => length > MAX_LINE_BYTES);
}

function looseAddresses(text: string): string[] {
  return parseLoosely(text, { flatten: true })
    .map(({ address }) => address.toLowerCase())
    .filter((address) => address !== '');
}

function hasObsolete(node: emailAddresses.ASTNode): boolean {
  return OBSOLETE.test(node.name) || node.children.some(hasObsolete);
}
