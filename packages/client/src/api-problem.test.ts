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
});
