import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { AppError } from '@mailstead/core/errors';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import { SessionGuard } from './session-guard.js';

const SECRET = 'a-secret-key-of-the-tests-0123456789';
const HTTPS = { 'x-forwarded-proto': 'https' };

/** @returns the error code; null when the request may have a session */
function check(
  headers: IncomingHttpHeaders,
  { publicUrl = null as string | null, peer = '10.0.0.1', trusted = ['10.0.0.0/8'] } = {},
) {
  const guard = new SessionGuard(new RequestOrigins(trusted), new CsrfTokens(SECRET), { publicUrl });
  try {
    guard.checkOrigin({ method: 'POST', headers, socket: { remoteAddress: peer } as Socket });
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('where a session may be used', () => {
  it.each<[string, IncomingHttpHeaders, string | null]>([
    ['over TLS', { ...HTTPS, host: 'mail.example' }, null],
    ['over TLS from its own page', { ...HTTPS, host: 'mail.example', origin: 'https://mail.example' }, null],
    [
      'over TLS from its page without TLS',
      { ...HTTPS, host: 'mail.example', origin: 'http://mail.example' },
      'origin_not_allowed',
    ],
    [
      'over TLS from another port',
      { ...HTTPS, host: 'mail.example', origin: 'https://mail.example:8443' },
      'origin_not_allowed',
    ],
    ['without TLS', { 'x-forwarded-proto': 'http', host: 'mail.example' }, 'session_needs_tls'],
    [
      'without TLS, with a Host of this machine',
      { 'x-forwarded-proto': 'http', host: 'localhost' },
      'session_needs_tls',
    ],
    ['without the word of the proxy', { host: 'mail.example' }, 'session_needs_tls'],
  ])('behind a trusted proxy: %s', (_, headers, code) => {
    expect(check(headers)).toBe(code);
  });

  it.each<[string, IncomingHttpHeaders, string | null]>([
    ['from its page', { ...HTTPS, host: 'inside:8080', origin: 'https://mail.example' }, null],
    ['without an origin', { ...HTTPS, host: 'inside:8080' }, null],
    ['from the page of the Host', { ...HTTPS, host: 'inside', origin: 'https://inside' }, 'origin_not_allowed'],
    ['without TLS', { host: 'mail.example' }, 'session_needs_tls'],
  ])('with PUBLIC_URL: %s', (_, headers, code) => {
    expect(check(headers, { publicUrl: 'https://mail.example/' })).toBe(code);
  });

  it('on this machine alone without TLS, and not with PUBLIC_URL', () => {
    const local = { peer: '127.0.0.1', trusted: [] };
    expect(check({ host: 'localhost:8080' }, local)).toBeNull();
    expect(check({ host: '[::1]:8080' }, { ...local, peer: '::1' })).toBeNull();
    expect(check({ host: 'localhost:8080' }, { ...local, publicUrl: 'https://mail.example' })).toBe(
      'session_needs_tls',
    );
    expect(check({ host: 'localhost:8080' }, { ...local, peer: '192.0.2.1' })).toBe('session_needs_tls');
    expect(check({ host: 'rebound.example:8080' }, local)).toBe('session_needs_tls');
    expect(check({ host: 'localhost.evil.example' }, local)).toBe('session_needs_tls');
    expect(check({}, local)).toBe('session_needs_tls');
    expect(check({ ...HTTPS, host: 'localhost' }, local)).toBe('session_needs_tls');
  });
});

describe('the CSRF token', () => {
  it('is another one for each session and each SECRET_KEY', () => {
    const tokens = new CsrfTokens(SECRET);
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    expect(tokens.isOf(a, tokens.of(a))).toBe(true);
    for (const wrong of [tokens.of(b), new CsrfTokens(`${SECRET}x`).of(a), '', tokens.of(a).slice(1)]) {
      expect(tokens.isOf(a, wrong)).toBe(false);
    }
  });
});
