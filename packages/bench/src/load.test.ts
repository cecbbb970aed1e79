import { allAllowed, faultsOf } from './load.js';

const ALLOWED = { name: 'a.example', allowed: true, action: 'accept', reason: null };
const DEFERRED = { ...ALLOWED, allowed: false, action: 'defer', reason: 'daily_limit' };

describe('the check of verdicts', () => {
  it('accepts a body in which every item is allowed', () => {
    expect(allAllowed(1)(JSON.stringify(ALLOWED))).toBe(true);
    expect(allAllowed(2)(JSON.stringify([ALLOWED, ALLOWED]))).toBe(true);
  });

  it('refuses a body in which an item is not allowed, is missing, or has another action than accept', () => {
    expect(allAllowed(1)(JSON.stringify(DEFERRED))).toBe(false);
    expect(allAllowed(2)(JSON.stringify([ALLOWED, DEFERRED]))).toBe(false);
    expect(allAllowed(2)(JSON.stringify([ALLOWED]))).toBe(false);
    expect(allAllowed(1)(JSON.stringify({ ...ALLOWED, action: 'reject' }))).toBe(false);
    expect(allAllowed(1)('')).toBe(false);
  });
});

describe('a round of requests', () => {
  const CONNECTIONS = 64;
  const whole = {
    errors: 0,
    timeouts: 0,
    non2xx: 0,
    mismatches: 0,
    '2xx': 1_000,
    requests: { sent: 1_064, total: 1_000 },
  };

  it('has no fault when all requests were answered except the last one of each connection', () => {
    expect(faultsOf(whole, CONNECTIONS)).toEqual([]);
  });

  it.each([
    ['a failed connection', { errors: 1 }, /^1 connections failed/],
    ['a request that was not answered in time', { errors: 2, timeouts: 2 }, /^2 requests were not answered within/],
    ['a request whose connection was closed', { requests: { sent: 1_067, total: 1_000 } }, /^3 requests were lost/],
    ['a status other than 2xx', { non2xx: 4 }, /^4 requests were not answered by 2xx/],
    ['another body', { mismatches: 5 }, /^5 responses have another body/],
    ['no response at all', { '2xx': 0, requests: { sent: 64, total: 0 } }, /^no request was answered/],
  ])('fails by %s', (_, changed, fault) => {
    expect(faultsOf({ ...whole, ...changed }, CONNECTIONS)).toEqual([expect.stringMatching(fault)]);
  });
});
