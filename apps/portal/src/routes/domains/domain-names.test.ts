import { namesIn } from './domain-names.js';

describe('names of a paste or a file', () => {
  it.each([
    ['example.com', ['example.com']],
    ['a.example, b.example;c.example d.example', ['a.example', 'b.example', 'c.example', 'd.example']],
    ['A.example\r\nb.example\n\n a.example \n', ['a.example', 'b.example']],
    ['domain,owner\n"a.example",Ann\nb.example,Ben', ['a.example', 'b.example']],
    ['name;plan\na.example;starter', ['a.example']],
    ['  \n ', []],
  ])('of %j are %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});
