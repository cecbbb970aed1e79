import { mapKnown } from './map-known.js';

describe('asking about known items', () => {
  it('puts every answer in the place of its item, and the substitute in the place of a null', async () => {
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
