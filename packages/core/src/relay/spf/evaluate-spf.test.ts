import { ScriptedDns } from '../../testing/scripted-dns.js';
import { evaluateSpf, type SpfClient } from './evaluate-spf.js';
import { parseIp } from './ip-address.js';
import { SpfLookups } from './spf-lookups.js';

const DOMAIN = 'd.example';
const IP4 = '192.0.2.1';
const IP6 = '2001:db8::cb01';

function clientOf(ip: string): SpfClient {
  const address = parseIp(ip);
  if (address === null) throw new Error(`${ip} is no address`);
  return { ip: address, localPart: 'strong-bad', senderDomain: 'Email.example.com', helo: 'mta.example.org' };
}

describe('check_host() (RFC 7208 section 4)', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('A', DOMAIN, '192.0.2.200', '2001:db8::200');
    dns.set('A', 'both.example', IP4, IP6).set('A', 'near.example', '192.0.2.9', '2001:db8::1');
    dns.set('TXT', 'pass.example', 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all');
    dns.set('TXT', 'fail.example', 'v=spf1 -all').set('TXT', 'soft.example', 'v=spf1 ~all');
    dns.set('TXT', 'neutral.example', 'v=spf1').set('TXT', 'wrong.example', 'v=spf1 ip4:x');
    dns.set('TXT', 'two.example', 'v=spf1 -all', 'v=spf1 +all').set('TXT', 'text.example', 'v=spf10', 'v=spf1mx');
    dns.broken.add('TXT slow.example').add('A slow.example').add('MX slow.example').add('PTR slow.example');
    dns.mxRecords.set('mx.example', [
      { exchange: 'near.example', priority: 10 },
      { exchange: 'both.example', priority: 20 },
    ]);
    dns.mxRecords.set('none.example', [{ exchange: '', priority: 0 }]);
  });

  const evaluate = (record: string, ip = IP4) => {
    dns.set('TXT', DOMAIN, record);
    return evaluateSpf(new SpfLookups(dns), DOMAIN, clientOf(ip));
  };

  test.each([
    ['4.7', 'v=spf1', IP4, 'neutral'],
    ['4.6', '+all ip4:x', IP4, 'permerror'],
    ['4.6', 'include:pass.example all:x', IP4, 'permerror'],
    ['4.6.2', 'all', IP4, 'pass'],
    ['4.6.2', '-all', IP4, 'fail'],
    ['4.6.2', '~all', IP4, 'softfail'],
    ['4.6.2', '?all', IP4, 'neutral'],
    ['4.6.2', '-ip4:192.0.2.1 +all', IP4, 'fail'],
    ['4.6.3', 'moo=cow -all', IP4, 'fail'],
    ['5.1', '-all ip4:192.0.2.1', IP4, 'fail'],
    ['5.2', 'include:pass.example', IP4, 'pass'],
    ['5.2', '~include:pass.example -all', IP4, 'softfail'],
    ['5.2', 'include:fail.example ?all', IP4, 'neutral'],
    ['5.2', 'include:soft.example -all', IP4, 'fail'],
    ['5.2', 'include:neutral.example -all', IP4, 'fail'],
    ['5.2', 'include:wrong.example all', IP4, 'permerror'],
    ['5.2', 'include:slow.example all', IP4, 'temperror'],
    ['5.2', 'include:absent.example all', IP4, 'permerror'],
    ['5.2', 'include:text.example all', IP4, 'permerror'],
    ['4.5', 'include:two.example all', IP4, 'permerror'],
    ['4.3', 'include:a..example all', IP4, 'permerror'],
    ['5.3', 'a', '192.0.2.200', 'pass'],
    ['5.3', 'a', '2001:db8::200', 'pass'],
    ['5.3', 'a -all', IP4, 'fail'],
    ['5.3', 'a:both.example', IP6, 'pass'],
    ['5.3', 'a:near.example -all', IP4, 'fail'],
    ['5.3', 'a:near.example/28', IP4, 'pass'],
    ['5.3', 'a:near.example/28 -all', IP6, 'fail'],
    ['5.3', 'a:near.example//112', IP6, 'pass'],
    ['5.3', 'a:near.example//113 -all', IP6, 'fail'],
    ['5.3', 'a:near.example/28//64', IP6, 'pass'],
    ['5.3', 'a:near.example/0', '203.0.113.9', 'pass'],
    ['5.3', 'a:absent.example -all', IP4, 'fail'],
    ['5.3', 'a:slow.example all', IP4, 'temperror'],
    ['4.8', 'a:a..example all', IP4, 'pass'],
    ['5.4', 'mx:mx.example', IP4, 'pass'],
    ['5.4', 'mx:mx.example', '192.0.2.9', 'pass'],
    ['5.4', 'mx:mx.example -all', '192.0.2.10', 'fail'],
    ['5.4', 'mx:mx.example/24', '192.0.2.10', 'pass'],
    ['5.4', 'mx:none.example -all', IP4, 'fail'],
    ['5.4', 'mx -all', IP4, 'fail'],
    ['5.4', 'mx:slow.example all', IP4, 'temperror'],
    ['5.6', 'ip4:192.0.2.1', IP4, 'pass'],
    ['5.6', 'ip4:192.0.2.0 -all', IP4, 'fail'],
    ['5.6', 'ip4:192.0.2.127/25', IP4, 'pass'],
    ['5.6', 'ip4:192.0.2.128/25 -all', IP4, 'fail'],
    ['5.6', 'ip4:0.0.0.0/0', IP4, 'pass'],
    ['5.6', 'ip4:0.0.0.0/0 -all', IP6, 'fail'],
    ['5.6', 'ip6:2001:db8::/32', IP6, 'pass'],
    ['5.6', 'ip6:2001:db8::CB01', IP6, 'pass'],
    ['5.6', 'ip6:2001:0db8:0:0:0:0:0:cb01/128', IP6, 'pass'],
    ['5.6', 'ip6:2001:db8::cb00/128 -all', IP6, 'fail'],
    ['5.6', 'ip6:::/0 -all', IP4, 'fail'],
    ['5.7', 'exists:both.example', IP6, 'pass'],
    ['5.7', 'exists:absent.example -all', IP4, 'fail'],
    ['5.7', 'exists:slow.example all', IP4, 'temperror'],
    ['6.1', 'redirect=fail.example', IP4, 'fail'],
    ['6.1', 'redirect=pass.example', IP4, 'pass'],
    ['6.1', 'ip4:192.0.2.1 redirect=fail.example', IP4, 'pass'],
    ['6.1', 'redirect=fail.example ip4:192.0.2.1', IP4, 'pass'],
    ['6.1', 'redirect=absent.example', IP4, 'permerror'],
    ['6.1', 'redirect=slow.example', IP4, 'temperror'],
    ['6.1', '?all redirect=absent.example', IP4, 'neutral'],
  ])('section %s: "%s" is, for %s, %s', async (_, terms, ip, result) => {
    const record = terms.startsWith('v=spf1') ? terms : `v=spf1 ${terms}`;
    expect(await evaluate(record, ip)).toMatchObject({ result });
  });

  test.each([
    ['%{s}', 'strong-bad@email.example.com'],
    ['%{o}', 'email.example.com'],
    ['%{d}', 'd.example'],
    ['%{d1}', 'example'],
    ['%{o2}', 'example.com'],
    ['%{o9}', 'email.example.com'],
    ['%{or}', 'com.example.email'],
    ['%{o1r}', 'email'],
    ['%{l}', 'strong-bad'],
    ['%{l-}', 'strong.bad'],
    ['%{lr-}', 'bad.strong'],
    ['%{l1r-}', 'strong'],
    ['%{S}', 'strong-bad%40email.example.com'],
    ['%{h}', 'mta.example.org'],
    ['%{ir}.%{v}._spf.%{d2}', '1.2.0.192.in-addr._spf.d.example'],
    ['a%%b%_c%-', 'a%b c%20'],
  ])('section 7: %s stands for %s', async (macro, text) => {
    dns.set('A', `${text}.m.example`, '127.0.0.2');
    expect(await evaluate(`v=spf1 exists:${macro}.m.example -all`)).toMatchObject({ result: 'pass' });
  });

  test('section 7.3: the nibbles of an IPv6 address, and labels that are too many', async () => {
    const reversed = '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2';
    dns.set('TXT', `${reversed}.ip6.m.example`, 'v=spf1 +all');
    expect(await evaluate('v=spf1 include:%{ir}.%{v}.m.example', IP6)).toMatchObject({ result: 'pass' });
    const labels = Array.from({ length: 130 }, (_, index) => String.fromCharCode(97 + (index % 26)));
    dns.set('A', [...labels.slice(-122), 'm.example'].join('.'), '127.0.0.2');
    const record = `v=spf1 exists:${labels.join('.')}.m.example -all`;
    expect(await evaluate(record)).toMatchObject({ result: 'pass' });
  });

  test('section 7.1: %{d} is the domain of the record that is read', async () => {
    dns
      .set('TXT', 'inner.example', 'v=spf1 exists:%{d}.m.example -all')
      .set('A', 'inner.example.m.example', '127.0.0.2');
    expect(await evaluate('v=spf1 include:inner.example -all')).toMatchObject({ result: 'pass' });
  });

  describe('reads the names of an address (section 5.5)', () => {
    beforeEach(() => {
      dns.set('PTR', '1.2.0.192.in-addr.arpa', 'liar.example', 'mail.both.example', 'slow.example');
      dns.set('A', 'mail.both.example', IP4).set('A', 'liar.example', '198.51.100.1');
    });

    test.each([
      ['ptr:both.example', 'pass'],
      ['ptr:mail.both.example', 'pass'],
      ['ptr:oth.example -all', 'fail'],
      ['ptr:liar.example -all', 'fail'],
      ['ptr -all', 'fail'],
      ['exists:%{p}.m.example -all', 'pass'],
    ])('"%s" is %s', async (terms, result) => {
      dns.set('A', 'mail.both.example.m.example', '127.0.0.2');
      expect(await evaluate(`v=spf1 ${terms}`)).toMatchObject({ result });
    });

    test('none of which is known without an answer', async () => {
      dns.set('A', 'unknown.m.example', '127.0.0.2');
      dns.broken.add('PTR 1.2.0.192.in-addr.arpa');
      expect(await evaluate('v=spf1 ptr:both.example -all')).toMatchObject({ result: 'fail' });
      expect(await evaluate('v=spf1 exists:%{p}.m.example -all')).toMatchObject({ result: 'pass' });
    });

    test('ten at most', async () => {
      const names = Array.from({ length: 11 }, (_, index) => `h${index}.example`);
      dns.set('PTR', '1.2.0.192.in-addr.arpa', ...names);
      for (const name of names) dns.set('A', name, IP4);
      expect(await evaluate('v=spf1 ptr:h9.example -all')).toMatchObject({ result: 'pass' });
      expect(await evaluate('v=spf1 ptr:h10.example -all')).toMatchObject({ result: 'fail' });
    });
  });

  describe('limits (section 4.6.4)', () => {
    const terms = (count: number) =>
      Array.from({ length: count }, () => 'a:both.example//128 a:near.example').join(' ');

    test('the terms with look-ups to ten, in all records together', async () => {
      dns.set('TXT', 'three.example', 'v=spf1 mx:none.example exists:absent.example ?all');
      const record = (count: number) => `v=spf1 include:three.example ${terms(count / 2)} redirect=soft.example`;
      expect(await evaluate(record(6), '203.0.113.1')).toMatchObject({ result: 'softfail' });
      expect(await evaluate(record(8), '203.0.113.1')).toMatchObject({
        result: 'permerror',
        problem: { code: 'spf_too_many_lookups', params: { name: DOMAIN } },
      });
    });

    test('and terms after the one that matches do not count', async () => {
      expect(await evaluate(`v=spf1 a:both.example ${terms(10)}`)).toMatchObject({ result: 'pass' });
    });

    test('the exchanges of a name to ten', async () => {
      const exchanges = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ exchange: 'both.example', priority: index }));
      dns.mxRecords.set('many.example', exchanges(10));
      expect(await evaluate('v=spf1 mx:many.example')).toMatchObject({ result: 'pass' });
      dns.mxRecords.set('many.example', exchanges(11));
      expect(await evaluate('v=spf1 mx:many.example')).toMatchObject({
        result: 'permerror',
        problem: { code: 'spf_too_many_mx', params: { name: 'many.example', limit: '10' } },
      });
    });

    test('a record that includes itself', async () => {
      expect(await evaluate(`v=spf1 include:${DOMAIN} -all`)).toMatchObject({ result: 'permerror' });
    });
  });

  test('counts look-ups without an answer, and names terms whose name cannot be looked up', async () => {
    const evaluation = await evaluate(
      'v=spf1 a:absent.example mx:absent.example exists:absent.example a:x..example all',
    );
    expect(evaluation).toMatchObject({ result: 'pass', voids: 3, senderTerms: [] });
    expect(evaluation.namelessTerms.map(({ params }) => params)).toEqual([{ name: DOMAIN, term: 'a:x..example' }]);
  });

  test('matches no term that depends on a local part or a HELO that is not known, and names it', async () => {
    dns.set('TXT', DOMAIN, 'v=spf1 exists:%{l}.example include:%{d}.%{h2}.example redirect=%{s}.example');
    const client = { ...clientOf(IP4), localPart: null, helo: null };
    const evaluation = await evaluateSpf(new SpfLookups(dns), DOMAIN, client);
    expect(evaluation.result).toBe('neutral');
    expect(evaluation.senderTerms.map(({ params }) => params.term)).toEqual([
      'exists:%{l}.example',
      'include:%{d}.%{h2}.example',
      'redirect=',
    ]);
  });

  test('a name without a record has no result', async () => {
    for (const name of ['absent.example', 'text.example', 'com', 'a..example'])
      expect(await evaluateSpf(new SpfLookups(dns), name, clientOf(IP4))).toMatchObject({ result: 'none' });
  });
});
