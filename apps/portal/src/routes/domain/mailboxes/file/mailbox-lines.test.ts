import { batchesOf } from '../../../../api/mailbox-batches.js';
import { MOST_BYTES, mailboxesIn } from './mailbox-lines.js';

const DOMAIN = 'first.com';
const HEAD = 'email,password,name,quota_mb,external_ref';
const read = (text: string, domain = DOMAIN) => mailboxesIn(new TextEncoder().encode(text), domain);
const problemsOf = (text: string) => read(text).problems;

describe('the mailboxes of a CSV file', () => {
  it('have the fields of their columns, in any order and with any of the usual separators', () => {
    expect(read(`${HEAD}\r\nanna@first.com,a secret,Anna,100,p-1\r\nben,"b,""secret",,,\r\n`)).toEqual({
      lines: [
        {
          line: 2,
          body: { email: 'anna@first.com', password: 'a secret', name: 'Anna', quota_mb: 100, external_ref: 'p-1' },
        },
        { line: 3, body: { email: 'ben@first.com', password: 'b,"secret' } },
      ],
      problems: [],
    });
    expect(read('\ufeffName;Email;Password_Hash\nAnna;ANNA;$2b$04$x').lines).toEqual([
      { line: 2, body: { email: 'anna@first.com', password_hash: '$2b$04$x', name: 'Anna' } },
    ]);
    expect(read('email\tpassword\nanna\ta;b,c').lines[0]?.body.password).toBe('a;b,c');
  });

  it('keep the blanks of a password', () => {
    expect(read('email,password\nanna, secret ').lines[0]?.body.password).toBe(' secret ');
  });

  it('may name an international domain as it is read', () => {
    const { lines } = read('email,password\nanna@Bücher.example,secret', 'xn--bcher-kva.example');
    expect(lines[0]?.body.email).toBe('anna@xn--bcher-kva.example');
  });

  it.each([
    ['anna@other.com,secret,,,', 'email must be an address of first.com.'],
    [',secret,,,', 'email must not be empty.'],
    ['anna,,,,', 'password must not be empty.'],
    ['anna,secret,,ten,', 'quota_mb must be a whole number of megabytes.'],
    ['anna,secret,', 'It must have 5 cells, as the first line; it has 3.'],
    ['ANNA@first.com,other,,,', 'Line 2 has the same address.'],
    ['ben,se"cret,,,', 'The quotes of this line are wrong.'],
  ])('have a line each, and what is wrong with it is said there: %s', (wrong, problem) => {
    const { lines, problems } = read(`${HEAD}\nanna,secret,,,\n${wrong}\ncarl,secret,,,`);
    expect(problems).toEqual([{ line: 3, problem }]);
    expect(lines.map(({ line }) => line)).toEqual([2, 4]);
  });

  it('are told of a quote that never ends', () => {
    const { lines, problems } = read('email,password\nanna,secret\nben,"secret');
    expect(problems).toEqual([{ line: 3, problem: 'A quote that begins in this line or before never ends.' }]);
    expect(lines.map(({ line }) => line)).toEqual([2]);
  });

  it('are refused with both a password and a hash', () => {
    const [problem] = problemsOf('email,password,password_hash\nanna,secret,$2b$04$x');
    expect(problem).toEqual({ line: 2, problem: 'It must have password or password_hash, not both.' });
  });

  it.each([
    ['', 'The file must have a first line with the columns'],
    ['anna@first.com,secret', 'The first line has “anna@first.com”'],
    ['email,password', 'The file has no line after'],
    ['email,email,password\na,b,c', 'The first line has email twice.'],
    ['name,password\na,b', 'The first line must have email.'],
    ['email,name\na,b', 'The first line must have password or password_hash.'],
    [`email,password\n${'anna,secret\n'.repeat(501)}`, 'The file must have at most 500 lines; it has 501.'],
    [`email,password\n${' '.repeat(MOST_BYTES)}`, 'The file must have at most 1 MiB.'],
  ])('are none in %#', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  it('are none when the file is not UTF-8', () => {
    expect(() => mailboxesIn(Uint8Array.from([0x61, 0xfc, 0x0a]), DOMAIN)).toThrow('The file must be UTF-8.');
  });
});

describe('the requests for mailboxes', () => {
  const line = (index: number, secret: { password: string } | { password_hash: string }) => ({
    line: index,
    body: { email: `box-${index}@first.com`, ...secret },
  });

  it('have at most 20 passwords each, more hashes, and all lines in their order', () => {
    const lines = Array.from({ length: 170 }, (_, index) =>
      line(index, index < 45 ? { password: 'secret' } : { password_hash: 'hash' }),
    );
    const batches = batchesOf(lines);
    expect(batches.flatMap((batch) => batch.lines)).toEqual(lines);
    expect(batches.map((batch) => batch.lines.length)).toEqual([20, 20, 100, 30]);
    expect(new Set(batches.map(({ key }) => key)).size).toBe(4);
  });
});
