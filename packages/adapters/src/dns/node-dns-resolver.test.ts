import { valuesOf } from '@mailstead/core/relay/dns-check';
import { NodeDnsResolver } from './node-dns-resolver.js';
import { DnsServer } from './testing/dns-server.js';

describe('look-ups', () => {
  let server: DnsServer;
  let resolver: NodeDnsResolver;

  beforeEach(async () => {
    server = await DnsServer.start();
    resolver = new NodeDnsResolver({ servers: [server.address], timeoutMs: 300 });
  });
  afterEach(() => server.close());

  test('returns mail hosts in lower case, ordered by preference', async () => {
    server.mx(
      'example.com',
      { exchange: 'MX2.example.net', preference: 20 },
      { exchange: 'mx1.example.net', preference: 5 },
    );
    expect(await resolver.mx('example.com')).toEqual({
      outcome: 'found',
      values: [
        { exchange: 'mx1.example.net', priority: 5 },
        { exchange: 'mx2.example.net', priority: 20 },
      ],
    });
  });

  test('returns a null MX as an empty host', async () => {
    server.mx('silent.example', { exchange: '.', preference: 0 });
    expect(await resolver.mx('silent.example')).toEqual({ outcome: 'found', values: [{ exchange: '', priority: 0 }] });
  });

  test('joins the strings of a TXT record without a separator', async () => {
    server.txt('example.com', ['v=spf1 include:a', '.example ~all'], 'other');
    expect(await resolver.txt('example.com')).toEqual({
      outcome: 'found',
      values: ['v=spf1 include:a.example ~all', 'other'],
    });
  });

  test('cuts a TXT record, of whose length its owner decides', async () => {
    server.txt('example.com', ['v=spf1 -all', ...Array.from({ length: 30 }, () => ' '.repeat(250)), 'x'], 'other');
    const [long, other] = valuesOf(await resolver.txt('example.com'));
    expect(long).toBe('v=spf1 -all'.padEnd(4_096));
    expect(other).toBe('other');
  });

  test('returns the target of a CNAME, and follows it for TXT', async () => {
    server.cname('k._domainkey.example.com', 'K.dkim.example.net').txt('k.dkim.example.net', 'p=MIG');
    expect(await resolver.cname('k._domainkey.example.com')).toEqual({
      outcome: 'found',
      values: ['k.dkim.example.net'],
    });
    expect(await resolver.txt('k._domainkey.example.com')).toEqual({ outcome: 'found', values: ['p=MIG'] });
  });

  test('returns the addresses of both families in one form, IPv6 in lower case and compressed', async () => {
    server.a('example.com', '192.0.2.25', '192.0.2.26').aaaa('example.com', '2001:0DB8:0:0:0:0:0:25');
    expect(await resolver.addresses('example.com')).toEqual({
      outcome: 'found',
      values: ['192.0.2.25', '192.0.2.26', '2001:db8::25'],
    });
  });

  test('returns the addresses of a name with one family only, and of the target of a CNAME', async () => {
    server.a('a.example.com', '192.0.2.25').aaaa('aaaa.example.com', '2001:db8::25');
    server.cname('mail.example.com', 'a.example.com');
    expect(await resolver.addresses('a.example.com')).toEqual({ outcome: 'found', values: ['192.0.2.25'] });
    expect(await resolver.addresses('aaaa.example.com')).toEqual({ outcome: 'found', values: ['2001:db8::25'] });
    expect(await resolver.addresses('mail.example.com')).toEqual({ outcome: 'found', values: ['192.0.2.25'] });
  });

  test('reads a name without addresses as missing only when both families say so', async () => {
    server.txt('text.example.com', 'x').cname('loop.example.com', 'loop.example.com');
    for (const name of ['nothing.example', 'text.example.com', 'loop.example.com'])
      expect(await resolver.addresses(name)).toEqual({ outcome: 'missing' });
    for (const family of ['A', 'AAAA'] as const) {
      server.fault(family, 'text.example.com', 'servfail');
      expect(await resolver.addresses('text.example.com')).toEqual({
        outcome: 'error',
        reason: 'The name server reported a failure (SERVFAIL)',
      });
      server.fault(family, 'text.example.com', null);
    }
  });

  test('returns the addresses of one family when the look-up of the other fails', async () => {
    server.a('example.com', '192.0.2.25').aaaa('example.com', '2001:db8::25').fault('A', 'example.com', 'servfail');
    expect(await resolver.addresses('example.com')).toEqual({ outcome: 'found', values: ['2001:db8::25'] });
    server.fault('A', 'example.com', null).fault('AAAA', 'example.com', 'drop');
    expect(await resolver.addresses('example.com')).toEqual({ outcome: 'found', values: ['192.0.2.25'] });
    server.fault('A', 'example.com', 'refused');
    expect(await resolver.addresses('example.com')).toMatchObject({ outcome: 'error' });
  });

  test('returns at most 32 addresses of each family, of whose number the owner of a name decides', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
    server.a('example.com', ...numbers.map((number) => `192.0.2.${number}`)).fault('A', 'example.com', 'truncate');
    server.aaaa('example.com', ...numbers.map((number) => `2001:db8::${number}`));
    server.fault('AAAA', 'example.com', 'truncate');
    const found = valuesOf(await resolver.addresses('example.com'));
    expect(found).toHaveLength(64);
    expect(found.filter((address) => address.includes(':'))).toHaveLength(32);
  });

  test('returns the addresses of one family alone, at most 32, and whether their look-up failed', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
    server.a('example.com', ...numbers.map((number) => `192.0.2.${number}`)).fault('A', 'example.com', 'truncate');
    server.aaaa('six.example.com', '2001:0DB8:0:0:0:0:0:25').fault('AAAA', 'example.com', 'servfail');
    expect(valuesOf(await resolver.addressesOf(4, 'example.com'))).toHaveLength(32);
    expect(await resolver.addressesOf(6, 'example.com')).toMatchObject({ outcome: 'error' });
    expect(await resolver.addressesOf(6, 'six.example.com')).toEqual({ outcome: 'found', values: ['2001:db8::25'] });
    expect(await resolver.addressesOf(4, 'six.example.com')).toEqual({ outcome: 'missing' });
  });

  test('returns the names of an address in lower case, and asks the name server only', async () => {
    server.ptr('25.2.0.192.in-addr.arpa', 'MX1.example.net', 'mx2.example.net');
    expect(await resolver.ptr('25.2.0.192.in-addr.arpa')).toEqual({
      outcome: 'found',
      values: ['mx1.example.net', 'mx2.example.net'],
    });
    expect(await resolver.ptr('1.0.0.127.in-addr.arpa')).toEqual({ outcome: 'missing' });
    expect(server.questions).toContain('udp PTR 1.0.0.127.in-addr.arpa');
  });

  test('returns name servers and the primary one in lower case, as missing below the top of the zone', async () => {
    server.soa('example.com', 'NS1.example.net').ns('example.com', 'NS1.example.net', 'ns2.example.net');
    server.txt('www.example.com', 'x');
    expect(await resolver.ns('example.com')).toEqual({
      outcome: 'found',
      values: ['ns1.example.net', 'ns2.example.net'],
    });
    expect(await resolver.soa('example.com')).toEqual({ outcome: 'found', values: ['ns1.example.net'] });
    expect(await resolver.ns('www.example.com')).toEqual({ outcome: 'missing' });
    expect(await resolver.soa('www.example.com')).toEqual({ outcome: 'missing' });
  });

  test('reads NXDOMAIN, NODATA and a loop of CNAMEs as missing', async () => {
    server.txt('example.com', 'x').cname('a.example.com', 'b.example.com').cname('b.example.com', 'a.example.com');
    expect(await resolver.txt('nothing.example')).toEqual({ outcome: 'missing' });
    expect(await resolver.mx('example.com')).toEqual({ outcome: 'missing' });
    expect(await resolver.txt('a.example.com')).toEqual({ outcome: 'missing' });
  });

  test.each([
    ['drop', 'The name server did not answer in time'],
    ['servfail', 'The name server reported a failure (SERVFAIL)'],
    ['refused', 'The name server refused the question'],
  ] as const)('never reads %s as missing', async (fault, reason) => {
    server.txt('example.com', 'x').fault('TXT', 'example.com', fault);
    expect(await resolver.txt('example.com')).toEqual({ outcome: 'error', reason });
  });

  test('repeats the question over TCP when the answer was truncated', async () => {
    const long = 'x'.repeat(250);
    server.txt('example.com', [long, long, long]).fault('TXT', 'example.com', 'truncate');
    expect(await resolver.txt('example.com')).toEqual({ outcome: 'found', values: [long.repeat(3)] });
    expect(server.questions).toContain('tcp TXT example.com');
  });

  test('ends at the deadline, for any number of servers that do not respond', async () => {
    server.fault('TXT', '*', 'drop');
    const slow = new NodeDnsResolver({ servers: [server.address, server.address, server.address], timeoutMs: 300 });
    const one = new NodeDnsResolver({ servers: [server.address], timeoutMs: 300 });
    const inTurn = async () => {
      for (let count = 0; count < 3; count += 1) await one.txt('example.com');
      return 'three deadlines, one after the other';
    };
    expect(await Promise.race([slow.txt('example.com'), inTurn()])).toMatchObject({ outcome: 'error' });
  });

  test('returns an error when the server cannot be reached', async () => {
    const nobody = await DnsServer.start();
    await nobody.close();
    const lost = new NodeDnsResolver({ servers: [nobody.address], timeoutMs: 300 });
    expect(await lost.txt('example.com')).toMatchObject({ outcome: 'error' });
  });

  test('returns an error for a name that cannot be looked up', async () => {
    expect(await resolver.txt(`${'x'.repeat(64)}.example.com`)).toMatchObject({ outcome: 'error' });
  });
});
