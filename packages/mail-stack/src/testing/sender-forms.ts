import fc from '../../../../scripts/fast-check.mjs';

const SENDER_NAMES = ['From', 'Sender', 'Resent-From', 'Resent-Sender', 'Return-Path', 'X-Mailbox-Line'];
const OTHER_NAMES = ['Received', 'Reply-To', 'Resent-To', 'Subject', 'Bcc', 'X-SES-A', 'X-A', '(', 'X \xe9', ''];
const BLANKS = [' ', '\t', ' \t '];
const FOLDS = ['\r\n ', '\r\n\t', '\r\n \t\r\n '];
/** What some programs read as a line end, as nothing, or as the end of the text. */
const NOISE = [
  '\0',
  '\r',
  '\n',
  '\r\r\n',
  '\x01',
  '\x0b',
  '\x0c',
  '\x1c',
  '\x7f',
  '\x85',
  '\xff',
  '\xe2\x80\xa8',
  '\xa0',
];
const PIECES = [
  '<',
  '>',
  ',',
  ';',
  ':',
  '"',
  '\\',
  '(',
  ')',
  '@',
  '.',
  ' ',
  '\r\n ',
  'A',
  'team:',
  '[',
  ']',
  '\xf6',
  '=',
];
/** Fields of a message in a message, whose header some program could take for the outer one. */
const CONTENT = ['message/rfc822', 'multipart/mixed; boundary=b', 'multipart/digest; boundary="b"', 'message/partial'];
/** Postfix folds lines of more than 998 bytes. */
const LONG_NAME = 'X'.repeat(998);

/**
 * Draws messages of a mailbox, one character for each byte. Their header has fields and lines that programs may read
 * differently, and mostly a From field with the mailbox's own address.
 */
export function senderForms(own: string, foreign: string): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 12, arbitrary: field(own, foreign) },
    { weight: 1, arbitrary: mboxLine(own, foreign) },
    { weight: 1, arbitrary: fc.constantFrom(...CONTENT).map((type) => `Content-Type: ${type}`) },
    { weight: 1, arbitrary: fc.constantFrom('no field', ': none', ` From: ${foreign}`, 'X Y: z', '--b', ' ', '\tx') },
    { weight: 1, arbitrary: fc.constantFrom(LONG_NAME, LONG_NAME.slice(1)).map((name) => `${name}: ${foreign}`) },
    { weight: 1, arbitrary: fc.constantFrom(`From\0: ${foreign}`, `Fr\rom: ${foreign}`, `\x7fFrom: ${foreign}`) },
  );
  const ownField = fc.constantFrom(...clearForms(own)).map((value) => [`From:${value}`]);
  return fc
    .tuple(
      fc.array(mboxLine(own, foreign), { maxLength: 2 }),
      fc.array(line, { maxLength: 3 }),
      fc.oneof({ weight: 5, arbitrary: ownField }, { weight: 1, arbitrary: fc.constant([]) }),
      fc.array(line, { maxLength: 3 }),
      fc.constantFrom([], [`From: ${foreign}`, `Sender: ${foreign}`], ['--b', '', `From: ${foreign}`, '', '--b--']),
    )
    .map(([start, before, from, after, body]) => [...start, ...before, ...from, ...after, '', ...body].join('\r\n'));
}

/** What stands before a message in an mbox file (RFC 4155). */
function mboxLine(own: string, foreign: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('From ', '>From ', '>>From ', 'from '), fc.constantFrom(own, foreign))
    .map(([start, address]) => `${start}${address} Sat Nov 28 10:00:00 2026`);
}

function field(own: string, foreign: string): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...SENDER_NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_NAMES) },
  );
  const asWritten = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toLowerCase(),
    (text: string) => text.toUpperCase(),
  );
  return fc
    .tuple(name, asWritten, sometimes(6, BLANKS), value(own, foreign))
    .map(([text, written, blanks, content]) => `${written(text)}${blanks}:${content}`);
}

function value(own: string, foreign: string): fc.Arbitrary<string> {
  const pieces = fc
    .array(fc.constantFrom(...PIECES, own, foreign, word(foreign), word(`<${foreign}>,`), word('"')), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const text = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...clearForms(own)) },
    { weight: 2, arbitrary: fc.constantFrom(...unclearForms(own, foreign)) },
    { weight: 1, arbitrary: pieces },
  );
  const fold = sometimes(5, [...BLANKS, ...FOLDS]);
  return fc.tuple(fold, text, fold, sometimes(10, NOISE), fc.nat()).map(([before, content, after, noise, place]) => {
    const at = place % (content.length + 1);
    return `${before}${content.slice(0, at)}${noise}${content.slice(at)}${after}`;
  });
}

/** Draws nothing, or one of the texts once in `weight` + 1 times. */
function sometimes(weight: number, texts: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...texts) });
}

/** Values that name one address for every program. */
function clearForms(address: string): string[] {
  return [
    ` ${address}`,
    address,
    `\t<${address.toUpperCase()}>`,
    ` A. Name <${address}>`,
    ` "A, \\"Name\\" (B)" <${address}>`,
    ` ${address} (a comment)`,
    ` J\xc3\xb6rg <${address}>`,
    ` ${word('Jörg, Müller')} <${address}>`,
    ` A\r\n Name\r\n\t<${address}>`,
  ];
}

/** Values that programs may read differently, or that name another address. */
function unclearForms(own: string, foreign: string): string[] {
  const [local = '', domain = ''] = foreign.split('@');
  return [
    ` ${foreign}`,
    ` ${own}, ${foreign}`,
    ` ${foreign} <${own}>`,
    ` "${foreign}" <${own}>`,
    ` "<${foreign}>" <${own}>`,
    ` (${foreign}) ${own}`,
    ` ${own} (${foreign})`,
    ` ${own} (\\) <${foreign}> (`,
    ` "A\r\n ${foreign}" <${own}>`,
    ` ${own} (A\r\n\t${foreign})`,
    ` <${own}> <${foreign}>`,
    ` <@${domain}:${own}>`,
    ` team: ${own}, ${foreign};`,
    ` ${own}, team:;`,
    ` ${word(`${foreign}, `)} <${own}>`,
    ` "${word(foreign)}" <${own}>`,
    ` ${word(local)}@${domain}`,
    ` "${local}"@${domain}`,
    ` ${own}\0, ${foreign}`,
    ` ${own}\rSender: ${foreign}`,
    ` ${own}\r\r\nFrom: ${foreign}`,
    ` ${own}\nFrom: ${foreign}`,
    ` ${own}\n\nFrom: ${foreign}`,
    ' alic\xd0\xb5@acme.test',
    ' alice@\xc3\xa4cme.test',
    ' alice@xn--cme-pla.test',
    ` ${' '.repeat(2_040)}${own}, ${foreign}`,
    ` "${'x'.repeat(980)}" <${foreign}.${own}>`,
  ];
}

function word(text: string): string {
  return `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`;
}
