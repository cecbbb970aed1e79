import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkSpf } from './check-spf.js';

const DOMAIN = 'example.com' as DomainName;
const OURS = 'spf.relay.example';

describe('the check of SPF', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('TXT', OURS, 'v=spf1 ip4:192.0.2.0/24 -all');
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
    ['other mechanisms around', `v=spf1 a mx/24 a:mail.example.com/24//64 ip6:2001:db8::/32 +include:${OURS} ?all`],
    ['unknown modifiers', `v=spf1 include:${OURS} exp=why.example.com moo=cow -all`],
  ])('passes %s', async (_, record) => {
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
    ['two records', [`v=spf1 include:${OURS} -all`, 'v=spf1 -all'], 'There are 2 SPF records'],
    ['quotation marks', [`"v=spf1 include:${OURS} -all"`], 'quotation marks'],
    ['no way to the relay', ['v=spf1 mx -all'], `does not lead to include:${OURS}. Add it before "all".`],
    ['an include after all', [`v=spf1 -all include:${OURS}`], 'after "all"'],
    ['an include that does not pass', [`v=spf1 ~include:${OURS} -all`], 'Remove the ~'],
    ['the domain appended', [`v=spf1 include:${OURS}.example.com -all`], 'appended'],
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

  test('is a mismatch when a broken include comes before the relay', async () => {
    dns.set('TXT', 'outer.example', `v=spf1 include:${OURS} -all`);
    expect(await check('v=spf1 -include:outer.example ~all')).toMatchObject({ status: 'mismatch' });
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
    const lookups = (count: number) => Array.from({ length: count }, (_, index) => `a:h${index}.example`).join(' ');
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
      detail: expect.stringContaining('more than 10 DNS look-ups'),
    });
  });

  test('does not report a time-out as missing or as a mismatch', async () => {
    dns.broken.add('TXT slow.example');
    expect(await check('v=spf1 include:slow.example -all')).toMatchObject({ status: 'error' });
    expect(await check(`v=spf1 include:slow.example include:${OURS} -all`)).toMatchObject({ status: 'ok' });
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
