import { mapKnown } from './map-known.js';

describe('mapping the known items', () => {
  it('returns each result at the position of its item, and the substitute at the position of a null', async () => {
    const asked: string[][] = [];
    const ask = async (items: string[]) => {
      asked.push(items);
      return items.map((item) => item.toUpperCase());
    };
    expect(await mapKnown([null, 'a', null, 'b'], ask, '?')).toEqual(['?', 'A', '?', 'B']);
    expect(await mapKnown([null], ask, '?')).toEqual(['?']);
    expect(asked).toEqual([['a', 'b']]);
  });
});
