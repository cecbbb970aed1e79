import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { parseNetwork } from './ip-address.js';
import { RequestOrigins } from './request-origins.js';

const requestFrom = (remoteAddress: string | undefined, headers: IncomingHttpHeaders = {}) => ({
  headers,
  socket: { remoteAddress } as Socket,
});

describe('the origin of a request', () => {
  const trusting = new RequestOrigins(['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']);
  const addressOf = (peer: string | undefined, forwardedFor?: string, origins = trusting) =>
    origins.originOf(requestFrom(peer, forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor })).address;

  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:db8:a:b:c:d:e:f', '2001:db8:a:b::/64'],
    ['::1', '::/64'],
    [undefined, 'unknown'],
  ])('%s without a proxy is %s', (peer, address) => {
    expect(addressOf(peer)).toBe(address);
  });

  it.each<[string, string, string, string]>([
    ['the sender that the proxy names', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['the sender before several proxies', '10.0.0.1', '203.0.113.5, 192.0.2.7, 10.9.9.9', '203.0.113.5'],
    ['not an entry that the sender wrote', '10.0.0.1', '1.1.1.1, 203.0.113.5', '203.0.113.5'],
    ['not a trusted address that the sender wrote', '10.0.0.1', '10.0.0.9, 203.0.113.5', '203.0.113.5'],
    ['the first entry when all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the peer when the entry is no address', '10.0.0.1', 'evil', '10.0.0.1'],
    ['the peer when an entry on the way is no address', '10.0.0.1', '203.0.113.5, unknown, 10.0.0.2', '10.0.0.1'],
    ['the peer that nobody trusts', '203.0.113.9', '203.0.113.5', '203.0.113.9'],
    ['the address without the port', '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
    ['the IPv6 network without the port', '10.0.0.1', '[2001:db8:a:b::1]:4711', '2001:db8:a:b::/64'],
    ['the IPv4 address of a mapped proxy', '::ffff:10.0.0.1', '::ffff:203.0.113.5', '203.0.113.5'],
    ['the sender behind an IPv6 proxy', '2001:db8:1:2::3', '203.0.113.5', '203.0.113.5'],
    ['not a short form', '10.0.0.1', '127.1', '10.0.0.1'],
    ['not a zone', '10.0.0.1', '203.0.113.5, fe80::1%eth0', 'fe80::/64'],
  ])('is %s', (_, peer, forwardedFor, address) => {
    expect(addressOf(peer, forwardedFor)).toBe(address);
  });

  it('is the peer for everybody when no proxy is trusted', () => {
    expect(addressOf('10.0.0.1', '203.0.113.5', new RequestOrigins([]))).toBe('10.0.0.1');
  });

  it.each<[string, string, string | undefined, boolean]>([
    ['a trusted proxy that says https', '10.0.0.1', 'https', true],
    ['a trusted proxy that says http', '10.0.0.1', 'http', false],
    ['a proxy that appended http to what the sender wrote', '10.0.0.1', 'https, http', false],
    ['a sender that is no proxy', '203.0.113.9', 'https', false],
    ['no header', '10.0.0.1', undefined, false],
  ])('has TLS by the word of a trusted proxy alone: %s', (_, peer, scheme, isTls) => {
    expect(trusting.originOf(requestFrom(peer, { 'x-forwarded-proto': scheme })).isTls).toBe(isTls);
  });

  it('has TLS when the connection itself has', () => {
    const socket = Object.create(TLSSocket.prototype, { remoteAddress: { value: '203.0.113.9' } }) as TLSSocket;
    expect(trusting.originOf({ headers: {}, socket }).isTls).toBe(true);
  });

  it('is reported once when a proxy sends headers that nobody trusts', () => {
    const reports: string[] = [];
    const origins = new RequestOrigins([], () => reports.push('ignored'));
    origins.notice(requestFrom('10.0.0.1'));
    expect([origins.areHeadersIgnored, reports]).toEqual([false, []]);
    origins.notice(requestFrom('10.0.0.1', { 'x-forwarded-proto': 'https' }));
    origins.notice(requestFrom('10.0.0.1', { 'x-forwarded-for': '203.0.113.5' }));
    expect([origins.areHeadersIgnored, reports]).toEqual([true, ['ignored']]);
  });
});

it.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'proxy.example', '10.0.0.0/', '', '10.0.0.1/-1', '[::1]:80'])(
  '%j is no network',
  (text) => {
    expect(parseNetwork(text)).toBeNull();
  },
);
