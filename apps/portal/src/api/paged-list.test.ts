import { nextOf } from './paged-list.js';

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
