import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkSpf } from './check-spf.js';

const DOMAIN = 'example.com' as DomainName;
const OURS = 'spf.relay.example';

describe('the check of SPF', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8:1::/48 -all');
  });

  const check = (...records: string[]) => {
    if (records.length > 0) dns.set('TXT', DOMAIN, ...records);
    return checkSpf(dns, DOMAIN, OURS);
  };

  test('is ok for a record that includes the relay, next to any other TXT records', async () => {
    expect(await check('google-site-verification=x', `v=spf1 include:${OURS} ~all`)).toEqual({
      record: 'spf',
      type: 'TXT',
      name: 'example.com',
      expected: [`v=spf1 include:${OURS} ~all`],
      found: [`v=spf1 include:${OURS} ~all`],
      status: 'ok',
      required: true,
      code: 'spf_ok',
      params: {},
      warnings: [],
      detail: 'The SPF record allows the relay to send.',
    });
  });

  test.each([
    ['another case and a trailing dot', 'V=SPF1 INCLUDE:Spf.Relay.Example. -ALL'],
    ['other mechanisms around', `v=spf1 a a//33 a:mail.example.com/24//64 ip6:2001:db8::/32 +include:${OURS} ?all`],
    ['unknown modifiers', `v=spf1 include:${OURS} exp=why.example.com moo=cow -all`],
  ])('passes %s', async (_, record) => {
    dns.set('A', DOMAIN, '198.51.100.1').set('A', 'mail.example.com', '198.51.100.2', '2001:db8::2');
    expect(await check(record)).toMatchObject({ status: 'ok', detail: 'The SPF record allows the relay to send.' });
  });

  test('follows includes and a redirect to the relay', async () => {
    dns.set('TXT', 'inner.example', `v=spf1 include:${OURS} -all`);
    dns.set('TXT', 'outer.example', 'v=spf1 include:inner.example -all');
    expect(await check('v=spf1 include:outer.example -all')).toMatchObject({ status: 'ok' });
    expect(await check('v=spf1 redirect=outer.example')).toMatchObject({ status: 'ok' });
  });

  test('does not follow a redirect when the record has "all"', async () => {
    expect(await check(`v=spf1 redirect=${OURS} ~all`)).toMatchObject({ status: 'mismatch' });
  });

  test('reports a missing record and the value to publish', async () => {
    const missing = { status: 'missing', found: [], detail: expect.stringContaining(`v=spf1 include:${OURS} ~all`) };
    expect(await check()).toMatchObject(missing);
    expect(await check('v=spf10 x', 'something else')).toMatchObject(missing);
  });

  test.each([
    ['our include with the domain appended', [`v=spf1 include:${OURS}.example.com -all`], 'appended'],
    ['two records', [`v=spf1 include:${OURS} -all`, 'v=spf1 -all'], 'There are 2 SPF records'],
    ['quotation marks', [`"v=spf1 include:${OURS} -all"`], 'quotation marks'],
    ['no way to the relay', ['v=spf1 mx -all'], `does not lead to include:${OURS}. Add it before "all".`],
    ['an include after all', [`v=spf1 -all include:${OURS}`], 'after "all"'],
    ['an include that does not pass', [`v=spf1 ~include:${OURS} -all`], 'Remove the ~'],
    ['a misspelt word', [`v=spf1 includes:${OURS} -all`], '"includes:spf.relay.example"'],
    ['an include of nothing in front', [`v=spf1 include:gone.example include:${OURS} -all`], 'gone.example'],
  ])('refuses %s', async (_, records, sentence) => {
    expect(await check(...records)).toMatchObject({
      status: 'mismatch',
      required: true,
      found: records,
      detail: expect.stringContaining(sentence),
    });
  });

  test('is a mismatch when a term before our include refuses the relay, and names the term', async () => {
    dns.set('TXT', 'outer.example', `v=spf1 include:${OURS} -all`);
    for (const term of ['-include:outer.example', '~ip4:192.0.0.0/16', '?exists:outer.example', '-a/0']) {
      dns.set('A', 'outer.example', '127.0.0.2').set('A', DOMAIN, '198.51.100.1', '2001:db8::1');
      dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.0/24 -all');
      expect(await check(`v=spf1 ${term} include:${OURS} -all`)).toMatchObject({
        status: 'mismatch',
        code: 'spf_refused_by',
        params: { name: DOMAIN, term, include: OURS },
      });
    }
  });

  test('warns of "+all", in the record and in what it includes', async () => {
    const warned = {
      status: 'ok',
      code: 'spf_ok',
      warnings: [expect.objectContaining({ code: 'spf_allows_all' })],
      detail: expect.stringContaining('allows every server to send'),
    };
    expect(await check(`v=spf1 include:${OURS} +all`)).toMatchObject(warned);
    expect(await check(`v=spf1 include:${OURS} all`)).toMatchObject(warned);
    dns.set('TXT', 'open.example', 'v=spf1 +all');
    expect(await check(`v=spf1 include:open.example include:${OURS} -all`)).toMatchObject(warned);
  });

  test('counts look-ups: the relay may be the tenth look-up, but not the eleventh', async () => {
    const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.example`);
    for (const host of hosts) dns.set('A', host, '198.51.100.1', '2001:db8::1');
    const lookups = (count: number) =>
      hosts
        .map((host) => `a:${host}`)
        .slice(0, count)
        .join(' ');
    expect(await check(`v=spf1 ${lookups(9)} include:${OURS} -all`)).toMatchObject({
      status: 'ok',
      detail: 'The SPF record allows the relay to send.',
    });
    expect(await check(`v=spf1 ${lookups(10)} include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      detail: expect.stringContaining('more than 10 DNS look-ups'),
    });
    expect(await check(`v=spf1 include:${OURS} ${lookups(10)} -all`)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('more than 10 DNS look-ups'),
    });
  });

  test('stops at a record that includes itself', async () => {
    expect(await check('v=spf1 include:example.com -all')).toMatchObject({
      status: 'mismatch',
      code: 'spf_too_many_lookups',
      detail: expect.stringContaining('more than 10 DNS look-ups'),
    });
  });

  test.each([
    'ip4:45.154.45.81~all',
    'ip4:192.0.2.300',
    'ip4:192.0.2.0/33',
    'ip4:198.51.100.1,198.51.100.2',
    'ip6:2001:db8::/129',
    'ip4:',
    'a:',
    'a/33',
    'a//129',
    'a/24/64',
    'a:foo-bar',
    'exists:',
    'include:',
    'all:x',
  ])('refuses a record with "%s", before our include and after it (RFC 7208 section 4.6)', async (term) => {
    for (const record of [`v=spf1 ${term} include:${OURS} -all`, `v=spf1 include:${OURS} -all ${term}`]) {
      expect(await check(record)).toMatchObject({ status: 'mismatch', params: { name: DOMAIN, term }, warnings: [] });
    }
  });

  test.each(['redirect', 'exp'])('refuses a record with two "%s" (RFC 7208 section 6)', async (modifier) => {
    expect(await check(`v=spf1 include:${OURS} ${modifier}=a.example ${modifier}=b.example`)).toMatchObject({
      status: 'mismatch',
      code: 'spf_doubled_modifier',
      params: { name: DOMAIN, term: `${modifier}=b.example` },
    });
  });

  test('says what the record lacks besides, after what makes it an error', async () => {
    expect(await check('v=spf1 ip4:192.0.2.300 -all')).toMatchObject({
      status: 'mismatch',
      code: 'spf_wrong_address',
      warnings: [{ code: 'spf_include_missing', params: { include: OURS } }],
    });
  });

  test('warns of a fault in a record that is read only after our include', async () => {
    dns.set('TXT', 'wrong.example', 'v=spf1 ip4:x -all');
    const fault = { code: 'spf_wrong_address', params: { name: 'wrong.example', term: 'ip4:x' } };
    expect(await check(`v=spf1 include:${OURS} include:wrong.example -all`)).toMatchObject({
      status: 'ok',
      warnings: [fault],
    });
    expect(await check(`v=spf1 include:wrong.example include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      ...fault,
      warnings: [],
    });
  });

  test('warns of a name that cannot be looked up, and of three void look-ups, only before our include', async () => {
    const voids = 'a:gone1.example a:gone2.example';
    expect(await check(`v=spf1 ${voids} include:${OURS} -all`)).toMatchObject({ status: 'ok', warnings: [] });
    expect(await check(`v=spf1 ${voids} mx:gone3.example include:${OURS} -all`)).toMatchObject({
      status: 'ok',
      warnings: [{ code: 'spf_void_lookups', params: { limit: '2' } }],
    });
    expect(await check(`v=spf1 mx:-x..example include:${OURS} -all`)).toMatchObject({
      status: 'ok',
      warnings: [{ code: 'spf_nameless_term', params: { name: DOMAIN, term: 'mx:-x..example' } }],
    });
    expect(await check(`v=spf1 include:${OURS} ${voids} a:gone3.example mx:-x..example -all`)).toMatchObject({
      status: 'ok',
      warnings: [],
    });
  });

  test('a name that nobody can have matches nothing, whether or not the resolver asks for it', async () => {
    dns.broken.add('A http://mail.example.com').add('TXT http://mail.example.com');
    expect(await check(`v=spf1 a:http://mail.example.com include:${OURS} -all`)).toMatchObject({ status: 'ok' });
    expect(await check(`v=spf1 include:http://mail.example.com include:${OURS} -all`)).toMatchObject({
      status: 'mismatch',
      code: 'spf_included_missing',
    });
  });

  test('warns of what depends on the local part or on HELO, and does not call it a fault (RFC 7208 section 7.2)', async () => {
    const depends = (term: string) => ({
      status: 'ok',
      code: 'spf_ok',
      warnings: [{ code: 'spf_depends_on_sender', params: { name: DOMAIN, term } }],
    });
    for (const term of ['include:%{l}.users.example', 'exists:%{i}._ip.%{h}._ehlo.%{d}.example']) {
      expect(await check(`v=spf1 ${term} -all`)).toMatchObject(depends(term));
      expect(await check(`v=spf1 ${term} include:${OURS} -all`)).toMatchObject(depends(term));
      expect(await check(`v=spf1 include:${OURS} ${term} -all`)).toMatchObject({ status: 'ok', warnings: [] });
    }
    expect(await check('v=spf1 include:%{l}.users.example ip4:x')).toMatchObject({ code: 'spf_wrong_address' });
  });

  test('does not report a time-out as missing or as a mismatch', async () => {
    dns.broken.add('TXT slow.example');
    expect(await check('v=spf1 include:slow.example -all')).toMatchObject({ status: 'error' });
    expect(await check(`v=spf1 include:slow.example include:${OURS} -all`)).toMatchObject({
      status: 'error',
      code: 'spf_unread',
    });
    expect(await check(`v=spf1 include:${OURS} include:slow.example -all`)).toMatchObject({ status: 'ok' });
    expect(await check('v=spf1 ip4:x include:slow.example -all')).toMatchObject({ status: 'mismatch' });
    dns.broken.add(`TXT ${DOMAIN}`);
    expect(await check()).toMatchObject({ status: 'error', found: [] });
  });

  test('checks only the form, as advice, without SPF_INCLUDE', async () => {
    const unset = { required: false, expected: [], detail: expect.stringContaining('is not set up') };
    expect(await checkSpf(dns, DOMAIN, null)).toMatchObject({ ...unset, status: 'missing' });
    dns.set('TXT', DOMAIN, 'v=spf1 mx -all');
    expect(await checkSpf(dns, DOMAIN, null)).toMatchObject({ ...unset, status: 'ok' });
  });
});
