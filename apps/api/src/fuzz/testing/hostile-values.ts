import fc from '../../../../../scripts/fast-check.mjs';

/** Text in a value that `toJsonText` replaces with JSON that `JSON.stringify` cannot write. */
const RAW = {
  '\u0001huge-number': '1e400',
  '\u0001large-integer': '123456789012345678901234567890',
  '\u0001minus-zero': '-0',
  '\u0001deep': '['.repeat(2_000) + ']'.repeat(2_000),
};

/** In a path or a query it is longer than what Node's parser takes. */
const LONG_TEXT = 'x'.repeat(20_000);

/** Any code points, also unpaired surrogates. fast-check's own text of these takes seconds to make. */
function anyCharacters(maxLength: number): fc.Arbitrary<string> {
  const point = fc.oneof(
    fc.integer({ min: 0, max: 0x10_ffff }),
    fc.integer({ min: 0xd7f0, max: 0xe010 }),
    fc.nat(0x100),
  );
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points));
}

/** Texts that have broken parsers, databases and logs. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    '@',
    'null',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\ufeff',
    '\u202e',
    'é',
    'é@é.example',
    'ß.example',
    'İ.example',
    '例え.example',
    '＠',
    'K',
    '👩‍👩‍👧‍👦'.repeat(30),
    '٣',
    "' OR 1=1 --",
    '%',
    '%00',
    '_',
    '\\',
    '\r\nX-Injected: 1',
    '<script>',
    '${jndi:ldap://x}',
    '../../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '-1',
    '1e3',
    '0x10',
    '9007199254740993',
    '99999999999999999999',
    'true',
    LONG_TEXT,
    'x.'.repeat(200),
    `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
  ),
  anyCharacters(30),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);

const hostileNumber = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -(2 ** 63)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);

/** Any JSON value, mostly of a wrong kind. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], [{}], { toJSON: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(RAW)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const HOSTILE_BODIES = [
  '',
  ' ',
  'null',
  '[]',
  '""',
  '0',
  '{',
  '{"a"',
  '{"a":1}{"a":2}',
  '\ufeff{}',
  "{'a':1}",
  '{"name":NaN}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"\\u0000":1}',
  '{"__proto__":{"name":"x.example"}}',
  '{"constructor":{"prototype":{"active":true}}}',
  '{"":""}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '{"a":'.repeat(5_000),
  `{"name":"${'x'.repeat(260 * 1_024)}"}`,
  `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
];

export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_BODIES),
  anyCharacters(100),
  fc.json(),
);

/** Writes JSON, with what `JSON.stringify` cannot write. */
export function toJsonText(value: unknown): string {
  let text = JSON.stringify(value);
  for (const [mark, raw] of Object.entries(RAW)) text = text.replaceAll(JSON.stringify(mark), raw);
  return text;
}

/** Changes the text of an object so that it has a name twice, or a name of every object. */
export const hostileMember: fc.Arbitrary<(json: string) => string> = fc
  .constantFrom('"__proto__":{"polluted":true}', '"constructor":1', '"name":"twice.example"', '"items":[]', '"id":1')
  .map((member) => (json: string) => (json.startsWith('{') && json !== '{}' ? `{${member},${json.slice(1)}` : json));
