import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { withValues } from './sql-values.js';

const UNUSUAL = [
  "O'Brien",
  "'",
  "''",
  '\\',
  "\\'",
  "'; DROP TABLE domain; -- ",
  '"quoted"',
  'back`tick`',
  'a\0b',
  'line\r\nbreak\ttab\x1a\x7f\b',
  '% _ \\% \\_',
  '?',
  '??',
  '# -- /* */',
  '/*!50000 x*/',
  '𠮷野家 👩‍👩‍👧‍👦',
  '\u{10FFFF}',
  '',
  ' ',
  'NULL',
  '\u0085\u2028\u00a5\uff07\u02bc',
  JSON.stringify({ text: "O'Brien \\ \n", list: [null, 1.5] }),
];

describe('the text of a statement with its values', () => {
  it('has values only in place of placeholders, not of question marks in texts, names and comments', () => {
    expect(withValues("SELECT '?', \"?\", `?`, 'it''s ?' /* ? */, ? -- ?\n, ? # ?", [1, 2])).toBe(
      "SELECT '?', \"?\", `?`, 'it''s ?' /* ? */, 1 -- ?\n, 2 # ?",
    );
  });

  it.each([
    [null, 'NULL'],
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [-1.5, '-1.5'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['', "''"],
    ['a ü 😀 "x" %_', '\'a ü 😀 "x" %_\''],
    ["O'Brien", "CONCAT('', _utf8mb4 x'4f27427269656e')"],
    ['\\', "CONCAT('', _utf8mb4 x'5c')"],
    ['a\nb', "CONCAT('', _utf8mb4 x'610a62')"],
    ["\ud800'", "CONCAT('', _utf8mb4 x'efbfbd27')"],
    [Buffer.from([0, 39, 255]), "x'0027ff'"],
    [Buffer.alloc(0), "x''"],
    [[1, 'a', null], "1, 'a', NULL"],
    [
      [
        [1, 'a'],
        [2, "'"],
      ],
      "(1, 'a'), (2, CONCAT('', _utf8mb4 x'27'))",
    ],
  ])('has %j as %s', (value, text) => {
    expect(withValues('?', [value])).toBe(text);
  });

  it.each([
    ['fewer values than placeholders', '?, ?', [1]],
    ['more values than placeholders', '?', [1, 2]],
    ['no values', '?', undefined],
    ['a placeholder of a name', 'SELECT ??', ['a', 'b']],
    ['a backslash', "SELECT '\\'', ?", [1]],
    ['a placeholder in an executed comment', '/*M! SELECT ? */', [1]],
    ['a text that does not end', "SELECT 'a, ?", [1]],
    ['a comment that does not end', 'SELECT /* a, ?', [1]],
    ['NaN', '?', [Number.NaN]],
    ['an infinite number', '?', [Number.POSITIVE_INFINITY]],
    ['a date', '?', [new Date(0)]],
    ['an object', '?', [{ id: 1 }]],
    ['a function', '?', [() => 1]],
    ['undefined', '?', [undefined]],
    ['an empty list', 'IN (?)', [[]]],
    ['an object in a list', 'IN (?)', [[{ toSqlString: () => '1' }]]],
  ])('is refused with %s', (_, sql, values) => {
    expect(() => withValues(sql, values)).toThrow('statement');
  });
});

describe('a value on the server', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
  });
  afterAll(() => opened.close());

  it.each(UNUSUAL.map((text) => [JSON.stringify(text), text]))('is what was given: %s', async (_, text) => {
    const { database } = opened;
    const [row] = await database.read<{ v: string; n: number; b: Buffer }>(
      'SELECT ? AS v, CHAR_LENGTH(?) AS n, ? AS b',
      [text, text, Buffer.from(text)],
    );
    expect(row).toEqual({ v: text, n: [...text].length, b: Buffer.from(text) });
    await database.write('DELETE FROM installation WHERE value IN (?)', [[text, 'none']]);
    await database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [`t:${UNUSUAL.indexOf(text)}`, text]);
    expect(
      await database.read('SELECT value FROM installation WHERE value = ? AND name LIKE ?', [text, 't:%']),
    ).toEqual([{ value: text }]);
  });

  it('is compared byte by byte, however it travels, and is in the same collation', async () => {
    const { database } = opened;
    expect(
      await database.read('SELECT ? = ? AS plain, ? = ? AS quoted, ? = ? AS mixed, COLLATION(?) AS c', [
        'A',
        'a',
        "A'",
        "a'",
        "A'",
        'a',
        'x',
      ]),
    ).toEqual([{ plain: 0, quoted: 0, mixed: 0, c: 'utf8mb4_bin' }]);
  });
});
