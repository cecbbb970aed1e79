import { ApiProblem } from './api-problem.js';

describe('a problem of the API', () => {
  const body = JSON.stringify({ code: 'rate_limited', detail: 'Too many requests' });

  it.each([
    ['7', 7],
    [null, null],
    // A proxy may send a date.
    ['Fri, 31 Dec 2027 23:59:59 GMT', null],
  ])('has the seconds of Retry-After: %s', async (header, seconds) => {
    const response = new Response(body, { status: 429, headers: header === null ? {} : { 'Retry-After': header } });
    expect(await ApiProblem.from(response)).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: seconds });
  });

  it('has what its code brings besides the members of every problem', () => {
    const text = JSON.stringify({
      type: '/docs/error-codes#domain_exists',
      title: 'Conflict',
      status: 409,
      code: 'domain_exists',
      detail: 'Domain already exists',
      request_id: 'r-1',
      existing: { id: 7 },
    });
    expect(ApiProblem.of(409, text, 'r-1').members).toEqual({ existing: { id: 7 } });
    expect(ApiProblem.of(502, '<html>', null).members).toEqual({});
  });
});
