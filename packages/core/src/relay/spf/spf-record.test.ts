import { faultFinding, parseSpf } from './spf-record.js';

const NAME = 'example.com';

/** The first fault of a record that has this term between others; null when it has none. */
function faultOf(term: string): string | null {
  const [fault] = parseSpf(`v=spf1 ip4:192.0.2.1 ${term} -all`).faults;
  if (fault !== undefined) expect(faultFinding(NAME, fault).params).toEqual({ name: NAME, term });
  return fault?.code ?? null;
}

describe('the terms of an SPF record (RFC 7208 section 12)', () => {
  test.each([
    ['ip4:45.154.45.81~all', 'spf_wrong_address'],
    ['ip4:192.0.2.300', 'spf_wrong_address'],
    ['ip4:192.0.2.1,192.0.2.2', 'spf_wrong_address'],
    ['ip4:192.0.2', 'spf_wrong_address'],
    ['ip4:192.0.02.1', 'spf_wrong_address'],
    ['ip4:', 'spf_wrong_address'],
    ['ip4', 'spf_wrong_address'],
    ['ip4:2001:db8::1', 'spf_wrong_address'],
    ['ip6:192.0.2.1', 'spf_wrong_address'],
    ['ip6:2001:db8:::1', 'spf_wrong_address'],
    ['ip6:2001:db8::1::2', 'spf_wrong_address'],
    ['ip6:2001:db8:1:2:3:4:5', 'spf_wrong_address'],
    ['ip6:1:2:3:4:5:6:7::8:9', 'spf_wrong_address'],
    ['ip6:2001:db8::12345', 'spf_wrong_address'],
    ['ip4:192.0.2.0/33', 'spf_wrong_prefix'],
    ['ip4:192.0.2.0/', 'spf_wrong_prefix'],
    ['ip4:192.0.2.0/024', 'spf_wrong_prefix'],
    ['ip4:192.0.2.0//24', 'spf_wrong_prefix'],
    ['ip6:2001:db8::/129', 'spf_wrong_prefix'],
    ['a/33', 'spf_wrong_prefix'],
    ['a//129', 'spf_wrong_prefix'],
    ['a/24/64', 'spf_wrong_prefix'],
    ['a:mail.example.com/24/64', 'spf_wrong_prefix'],
    ['mx/-1', 'spf_wrong_prefix'],
    ['a:', 'spf_wrong_name'],
    ['a:/24', 'spf_wrong_name'],
    ['a:foo-bar', 'spf_wrong_name'],
    ['a:example.123', 'spf_wrong_name'],
    ['a:example.-com', 'spf_wrong_name'],
    ['a:%{d}com', 'spf_wrong_name'],
    ['a:exämple.com', 'spf_wrong_name'],
    ['include:', 'spf_wrong_name'],
    ['include', 'spf_wrong_name'],
    ['exists:', 'spf_wrong_name'],
    ['redirect=', 'spf_wrong_name'],
    ['exp=', 'spf_wrong_name'],
    ['ptr:', 'spf_wrong_name'],
    ['include:%{x}.example', 'spf_wrong_macro'],
    ['include:%{d0}.example', 'spf_wrong_macro'],
    ['include:%(d).example', 'spf_wrong_macro'],
    ['include:100%.example', 'spf_wrong_macro'],
    ['exists:%{t}.example', 'spf_wrong_macro'],
    ['moo=%x', 'spf_wrong_macro'],
    ['all:x', 'spf_unknown_term'],
    ['all.', 'spf_unknown_term'],
    ['includes:spf.example.com', 'spf_unknown_term'],
    ['a.example.com', 'spf_unknown_term'],
    ['192.0.2.1', 'spf_unknown_term'],
    ['-', 'spf_unknown_term'],
    ['+-a', 'spf_unknown_term'],
    ['1moo=x', 'spf_unknown_term'],
    ['a\tmx', 'spf_unknown_term'],
  ])('%j is wrong: %s', (term, code) => {
    expect(faultOf(term)).toBe(code);
  });

  test.each([
    'a',
    '~a/0',
    'a//33',
    'a/24//64',
    'a:mail.example.com/24//64',
    'A:MAIL.example.com.',
    'a:a..example.com',
    'mx:-x..example',
    'a:mail.xn--80ak6aa92e.xn--p1ai',
    'a:example.1-2',
    'a:%{d}',
    'a:%{d}/24',
    'a:%%.%_.%-.example',
    '?mx//0',
    'ptr:example.com',
    'include:%{ir}.%{v}.%{d}.spf.example',
    'exists:%{L1R+-}.%{o2}.%{h}.%{p}',
    'ip4:192.0.2.0/0',
    'ip4:192.0.2.0/32',
    'ip6:::',
    'ip6:::1/128',
    'ip6:2001:db8::192.0.2.1/0',
    'ip6:1:2:3:4:5:6:7:8',
    'IP6:2001:DB8::',
    'moo=cow',
    'moo.cow-2_x=',
    'ip4=192.0.2.300',
    'exp=why.%{d}',
  ])('%j is right', (term) => {
    expect(faultOf(term)).toBeNull();
  });

  test('may be parted by several blanks, and blanks may follow the last one', () => {
    const record = parseSpf('v=spf1  mx   -all  ');
    expect(record.terms.map(({ text }) => text)).toEqual(['mx', '-all']);
    expect(record.faults).toEqual([]);
  });

  test.each(['redirect', 'REDIRECT', 'exp'])('%s may be there once (section 6)', (modifier) => {
    expect(parseSpf(`v=spf1 redirect=a.example exp=b.example`).faults).toEqual([]);
    const { faults } = parseSpf(`v=spf1 redirect=a.example exp=b.example ${modifier}=c.example`);
    expect(faults).toEqual([{ code: 'spf_doubled_modifier', term: `${modifier}=c.example` }]);
    expect(parseSpf('v=spf1 moo=1 moo=1').faults).toEqual([]);
  });

  test('after "all" are not read, and nor is redirect (sections 5.1 and 6.1), but a fault there counts (4.6)', () => {
    const record = parseSpf('v=spf1 -all mx redirect=a.example ip4:x');
    expect(record.terms.map(({ name }) => name)).toEqual(['all']);
    expect(record.unread.map(({ name }) => name)).toEqual(['mx']);
    expect(record.redirect).toBeNull();
    expect(record.faults).toEqual([{ code: 'spf_wrong_address', term: 'ip4:x' }]);
  });

  test('are whole up to the last one, where the resolver cut the record', () => {
    const record = `v=spf1${' ip4:192.0.2.123'.repeat(255)}`;
    expect(parseSpf(`${record} ip4:1`.padEnd(4_095, 'x')).faults).toHaveLength(1);
    expect(parseSpf(`${record} ip4:1`.padEnd(4_096, 'x')).faults).toEqual([]);
  });

  test('are cut in a sentence, of whose length their owner decides', () => {
    const fault = { code: 'spf_unknown_term', term: 'x'.repeat(4_000) } as const;
    expect(faultFinding(NAME, fault).params.term).toBe(`${'x'.repeat(100)}…`);
  });
});
