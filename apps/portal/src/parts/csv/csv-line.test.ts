import { csvLine } from './csv-line.js';

describe('a line of a CSV file', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
    'has an apostrophe before %j, which a spreadsheet would calculate',
    (text) => {
      expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`);
    },
  );

  it('guards the words of a list as one text', () => {
    expect(csvLine([['=partner', 'abuse']])).toBe("'=partner abuse\r\n");
  });

  it('quotes what would end a cell or a line, and keeps numbers, empty cells and truth', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\nlines', -3, null, true, false])).toBe(
      '"a,b","say ""x""","two\nlines",-3,,true,false\r\n',
    );
  });
});
