import { nextOf, totalOf } from './paged-list.js';

describe('the next page of a list', () => {
  it('begins after the id, or the name, in the link of the API', () => {
    expect(nextOf('</domains/?q=a&limit=50&after=120>; rel="next"')).toBe('120');
    expect(nextOf('<?limit=50&after=7>; rel="next"')).toBe('7');
    expect(nextOf('</partners/?limit=50&after=acme%3Aeu>; rel="next"')).toBe('acme:eu');
  });

  it('does not exist without a link', () => {
    expect(nextOf(null)).toBeNull();
  });
});

describe('the number of rows of a list', () => {
  it('is read from the header, with and without more', () => {
    expect(totalOf('1234')).toEqual({ count: 1234, more: false });
    expect(totalOf('20000+')).toEqual({ count: 20_000, more: true });
  });

  it('does not exist without a header, or with another text', () => {
    for (const text of [null, '', '+', 'many', '1 2']) expect(totalOf(text)).toBeNull();
  });
});
