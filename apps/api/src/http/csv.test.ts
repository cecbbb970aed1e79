import { parse } from 'csv-parse/sync';
import fc from '../../../../scripts/fast-check.mjs';
import { csvLine, prefersCsv } from './csv.js';

describe('a line of CSV', () => {
  it('separates cells by commas and ends with CR LF; null is an empty cell', () => {
    expect(csvLine(['acme', null, 'example.com', 12])).toBe('acme,,example.com,12\r\n');
  });

  it('quotes cells with commas, quotes and line ends, and doubles quotes', () => {
    expect(csvLine(['a,b', 'say "x"', 'one\ntwo', 'plain'])).toBe('"a,b","say ""x""","one\ntwo",plain\r\n');
    expect(csvLine(['one\rtwo', ' ', '', 'ü'])).toBe('"one\rtwo", ,,ü\r\n');
  });

  it('is read again as it was written', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\r', '\n', '\t', '\\', "'", 'ü') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        // No formulas.
        const cells = texts.map((each) => `x${each}`);
        expect(parse(csvLine(cells), { record_delimiter: '\r\n' })).toEqual([cells]);
      }),
    );
  });

  it.each(['=1+1', '+49', '-2', '@SUM(A1)', '\tx', '\rx', '＝1+1', '＋49', '－2', '＠SUM(A1)'])(
    'marks %j as text for spreadsheets',
    (text) => {
      const marked = `'${text}`;
      expect(csvLine([text, 1])).toBe(text.includes('\r') ? `"${marked}",1\r\n` : `${marked},1\r\n`);
    },
  );

  it('does not change numbers, and texts with such a character inside', () => {
    expect(csvLine([0, 7, 'a=b', 'x@y'])).toBe('0,7,a=b,x@y\r\n');
  });
});

describe('the Accept header', () => {
  it.each(['text/csv', 'TEXT/CSV', 'text/csv, */*;q=0.1', 'text/*', 'application/json;q=0.5, text/csv'])(
    'asks for CSV with %s',
    (accept) => expect(prefersCsv(accept)).toBe(true),
  );

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/csv;q=0',
    'text/csv;q=0.4, application/json',
    'text/csv;q=x',
  ])('asks for JSON with %s', (accept) => expect(prefersCsv(accept)).toBe(false));
});
