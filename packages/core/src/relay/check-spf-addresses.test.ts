import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkSpf } from './check-spf.js';

const DOMAIN = 'example.com' as DomainName;
const OURS = 'spf.relay.example';

describe('the check of SPF asks for addresses of the relay (RFC 7208 section 4)', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.0/25 include:more.relay.example ?ip4:203.0.113.0/24 -all');
    dns.set('TXT', 'more.relay.example', 'v=spf1 ip6:2001:db8:1::/48 a:out.relay.example mx -all');
    dns.set('A', 'out.relay.example', '198.51.100.7');
    dns.mxRecords.set('more.relay.example', [{ exchange: 'mx.relay.example', priority: 10 }]);
    dns.set('A', 'mx.relay.example', '2001:db8:2::25');
  });

  const check = (record: string) => {
    dns.set('TXT', DOMAIN, record);
    return checkSpf(dns, DOMAIN, OURS);
  };

  test('one of each network of its own record must pass, and those that do not are named', async () => {
    const flattened = 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ip4:198.51.100.7 -all';
    expect(await check(flattened)).toMatchObject({
      status: 'ok',
      code: 'spf_ok',
      warnings: [{ code: 'spf_flattened', params: { include: OURS } }],
    });
    expect(await check('v=spf1 ip4:192.0.2.0/24 ip6:2001:db8:1::/48 -all')).toMatchObject({
      status: 'mismatch',
      code: 'spf_addresses_refused',
      params: { addresses: '198.51.100.7, 2001:db8:2::25', include: OURS },
    });
    expect(await check('v=spf1 ip4:198.51.100.0/24 ~ip6:2001:db8::/32 ~all')).toMatchObject({
      status: 'mismatch',
      params: { addresses: '192.0.2.0, 2001:db8:1::, 2001:db8:2::25' },
    });
  });

  test('an include by macros is answered, and is a mismatch when it refuses them', async () => {
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.0/25 ip4:198.51.100.7 -all');
    dns.set('TXT', '0.2.0.192.in-addr.example.com.spf.host.example', 'v=spf1 +all');
    const record = 'v=spf1 include:%{ir}.%{v}.%{d}.spf.host.example -all';
    expect(await check(record)).toMatchObject({
      status: 'mismatch',
      code: 'spf_included_missing',
      params: { name: '7.100.51.198.in-addr.example.com.spf.host.example' },
    });
    dns.set('TXT', '7.100.51.198.in-addr.example.com.spf.host.example', 'v=spf1 -all');
    expect(await check(record)).toMatchObject({ code: 'spf_addresses_refused', params: { addresses: '198.51.100.7' } });
    dns.set('TXT', '7.100.51.198.in-addr.example.com.spf.host.example', 'v=spf1 +all');
    expect(await check(record)).toMatchObject({ status: 'ok', code: 'spf_ok', warnings: [] });
  });

  test('"exists" with an address, and "ptr" of the relay, are answered', async () => {
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.1 -all').set('A', '192.0.2.1.lists.example', '127.0.0.2');
    expect(await check('v=spf1 exists:%{i}.lists.example -all')).toMatchObject({ status: 'ok', warnings: [] });
    dns.set('PTR', '1.2.0.192.in-addr.arpa', 'out.relay.example').set('A', 'out.relay.example', '192.0.2.1');
    expect(await check('v=spf1 ptr:relay.example -all')).toMatchObject({ status: 'ok', warnings: [] });
  });

  test('an eleventh look-up before our include is the cause, and not that the include is missing', async () => {
    const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.example`);
    for (const host of hosts) dns.set('TXT', host, 'v=spf1 ip4:203.0.113.1 -all');
    const others = hosts.map((host) => `include:${host}`).join(' ');
    expect(await check(`v=spf1 ${others} include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      code: 'spf_too_many_lookups',
      params: { name: DOMAIN, limit: '10' },
      warnings: [],
    });
  });

  test('an include without a record before ours is the cause too', async () => {
    expect(await check(`v=spf1 include:gone.example include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      code: 'spf_included_missing',
      params: { name: 'gone.example' },
      warnings: [],
    });
  });

  test('more than ten MX hosts before our include are the cause too', async () => {
    dns.mxRecords.set(
      DOMAIN,
      Array.from({ length: 11 }, (_, priority) => ({ exchange: `mx${priority}.example.com`, priority })),
    );
    expect(await check(`v=spf1 mx include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      code: 'spf_too_many_mx',
    });
    expect(await check(`v=spf1 include:${OURS} mx -all`)).toMatchObject({ status: 'ok' });
  });

  test('an address that the relay itself refuses is not asked for', async () => {
    dns.set('TXT', OURS, 'v=spf1 -ip4:192.0.2.0/28 ip4:192.0.2.0/24 ip4:198.51.100.0/24 -all');
    expect(await check(`v=spf1 ip4:198.51.100.0/24 -all`)).toMatchObject({ status: 'ok' });
  });

  test('32 of many networks at most, spread over all of them', async () => {
    const networks = Array.from({ length: 64 }, (_, index) => `ip4:192.0.2.${index * 4}/30`);
    dns.set('TXT', OURS, `v=spf1 ${networks.join(' ')} -all`);
    const { params } = await check('v=spf1 ip4:192.0.2.0/30 -all');
    expect(params.addresses).toMatch(/^192\.0\.2\.8, 192\.0\.2\.16, .* \(\+11\)$/);
  });

  test('a look-up that fails is neither ok nor a mismatch, except where another address is refused', async () => {
    dns.broken.add('A slow.example');
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.1 ip4:198.51.100.7 -all');
    expect(await check('v=spf1 ip4:192.0.2.1 a:slow.example -all')).toMatchObject({
      status: 'error',
      code: 'spf_unread',
      params: { reason: 'The name server did not answer in time' },
    });
    expect(await check('v=spf1 -ip4:192.0.2.1 a:slow.example -all')).toMatchObject({ code: 'spf_addresses_refused' });
  });

  describe('when its own record names none', () => {
    test.each([
      ['is made of macros', 'v=spf1 exists:%{i}.relay.example -all'],
      ['is an error', 'v=spf1 ip4:x -all'],
      ['refuses everybody', 'v=spf1 -all'],
    ])('because it %s, our include must be reached', async (_, ours) => {
      dns.set('TXT', OURS, ours).set('TXT', 'outer.example', `v=spf1 include:${OURS} -all`);
      expect(await check(`v=spf1 include:outer.example -all`)).toMatchObject({ status: 'ok', code: 'spf_ok' });
      expect(await check('v=spf1 ip4:192.0.2.0/24 -all')).toMatchObject({ code: 'spf_include_missing' });
      expect(await check(`v=spf1 -all include:${OURS}`)).toMatchObject({ code: 'spf_include_after_all' });
      expect(await check(`v=spf1 include:gone.example include:${OURS} -all`)).toMatchObject({
        status: 'mismatch',
        code: 'spf_included_missing',
      });
    });

    test('because there is none, the domain with our include is ok with that warning', async () => {
      dns.records.delete(`TXT ${OURS}`);
      expect(await check(`v=spf1 include:${OURS} -all`)).toMatchObject({
        status: 'ok',
        warnings: [{ code: 'spf_included_missing', params: { name: OURS } }],
      });
    });

    test('because it cannot be looked up, nothing is known of a domain without another fault', async () => {
      dns.broken.add(`TXT ${OURS}`);
      for (const record of [`v=spf1 include:${OURS} -all`, 'v=spf1 ip4:192.0.2.0/24 -all'])
        expect(await check(record)).toMatchObject({ status: 'error', code: 'spf_unread' });
      expect(await check('v=spf1 ip4:x -all')).toMatchObject({ status: 'mismatch', code: 'spf_wrong_address' });
    });
  });
});
