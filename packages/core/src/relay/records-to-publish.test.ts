import fc from '../../../../scripts/fast-check.mjs';
import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkSpf } from './check-spf.js';
import type { DnsCheck } from './dns-check.js';
import { recordsToPublish } from './records-to-publish.js';

const NAME = 'shop.example' as DomainName;
const INCLUDE = 'mail.example';
const SPF: DnsCheck = {
  record: 'spf',
  type: 'TXT',
  name: 'shop.example',
  expected: ['v=spf1 include:mail.example ~all'],
  found: [],
  status: 'missing',
  required: true,
  code: 'spf_missing',
  params: { include: 'mail.example' },
  warnings: [],
  detail: '',
};

describe('the SPF record to publish', () => {
  it('is the whole one when there is none', () => {
    expect(recordsToPublish(SPF, 'shop.example')).toEqual([
      {
        type: 'TXT',
        name: 'shop.example',
        relativeName: '@',
        priority: null,
        value: 'v=spf1 include:mail.example ~all',
      },
    ]);
  });

  describe('in place of a published one', () => {
    let dns: ScriptedDns;

    beforeEach(() => {
      dns = new ScriptedDns();
      dns.set('TXT', INCLUDE, 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all');
      dns.set('TXT', 'other.example', 'v=spf1 ip4:198.51.100.0/24 -all');
      dns.broken.add('TXT slow.example');
    });

    const offered = async (...published: string[]) => {
      dns.set('TXT', NAME, ...published);
      const before = await checkSpf(dns, NAME, INCLUDE);
      const values = recordsToPublish(before, NAME).map(({ value }) => value);
      dns.set('TXT', NAME, ...values);
      expect(await checkSpf(dns, NAME, INCLUDE)).toMatchObject({ status: 'ok' });
      return { status: before.status, code: before.code, values };
    };

    it.each([
      ['spf_include_missing', 'v=spf1 mx -all', 'v=spf1 include:mail.example mx -all'],
      ['spf_include_missing', 'V=SPF1 redirect=other.example', 'v=spf1 include:mail.example redirect=other.example'],
      ['spf_include_missing', 'v=spf1', 'v=spf1 include:mail.example'],
      ['spf_include_after_all', 'v=spf1 mx -all include:mail.example', 'v=spf1 include:mail.example mx -all'],
      ['spf_include_qualified', 'v=spf1 mx ~include:Mail.example. -all', 'v=spf1 include:mail.example mx -all'],
      [
        'spf_include_doubled',
        'v=spf1 include:mail.example.shop.example mx -all',
        'v=spf1 include:mail.example mx -all',
      ],
      [
        'spf_included_missing',
        'v=spf1 include:gone.example include:mail.example ~all',
        'v=spf1 include:mail.example include:gone.example ~all',
      ],
      [
        'spf_too_many_lookups',
        `v=spf1 ${'include:other.example '.repeat(10)}include:mail.example ~all`,
        `v=spf1 include:mail.example ${'include:other.example '.repeat(10)}~all`,
      ],
      [
        'spf_refused_by',
        'v=spf1 -ip4:192.0.2.0/24 -ip6:::/0 include:mail.example ~all',
        'v=spf1 include:mail.example -ip4:192.0.2.0/24 -ip6:::/0 ~all',
      ],
      ['spf_addresses_refused', 'v=spf1 ip4:192.0.2.0/24 -all', 'v=spf1 include:mail.example ip4:192.0.2.0/24 -all'],
      [
        'spf_unread',
        'v=spf1 a:slow.example include:slow.example',
        'v=spf1 include:mail.example a:slow.example include:slow.example',
      ],
    ])('has our host once, before all that keeps a receiver from it: %s', async (code, published, value) => {
      expect(await offered(published)).toMatchObject({ code, values: [value] });
    });

    it.each([
      ['v=spf1 a:foo-bar mx include:mail.example -all', 'v=spf1 include:mail.example mx -all'],
      ['v=spf1 mx ip4:198.51.100.1~all', 'v=spf1 include:mail.example mx ~all'],
      ['v=spf1 mx -all all:x', 'v=spf1 include:mail.example mx -all'],
      ['v=spf1 ip4: redirect=other.example', 'v=spf1 include:mail.example redirect=other.example'],
      [
        'v=spf1 redirect=other.example mx redirect=other.example',
        'v=spf1 include:mail.example redirect=other.example mx',
      ],
    ])('%j has the terms that are wrong left out', async (published, value) => {
      expect(await offered(published)).toMatchObject({ status: 'mismatch', values: [value] });
    });

    it('keeps the terms of a record in quotation marks', async () => {
      expect(await offered('"v=spf1 mx include:mail.example -all"')).toEqual({
        status: 'mismatch',
        code: 'spf_quoted',
        values: ['v=spf1 include:mail.example mx -all'],
      });
    });

    it('is the published one when that is right', async () => {
      const published = 'v=spf1 include:other.example include:mail.example -all';
      expect(await offered(published)).toEqual({ status: 'ok', code: 'spf_ok', values: [published] });
    });

    it('passes the check, and names our host once where the published one did not pass, whatever that one has', async () => {
      const words = [
        'mx',
        '-a/0',
        'ip4:192.0.2.300',
        'ip4:198.51.100.1~all',
        '-ip4:0.0.0.0/0',
        `include:${INCLUDE}`,
        `~INCLUDE:${INCLUDE}.`,
        `include:${INCLUDE}.${NAME}`,
        'include:gone.example',
        'include:slow.example',
        'include:%{l}.example',
        `include:${NAME}`,
        'redirect=other.example',
        'exp=why.example',
        'all:x',
        '-all',
        '+all',
        '',
      ];
      const records = fc.array(fc.constantFrom(...words), { maxLength: 12 });
      const property = fc.asyncProperty(records, async (terms) => {
        const { status, values } = await offered(['v=spf1', ...terms].join(' '));
        const includes = values.flatMap((value) => value.match(/include:mail\.example\.?(?= |$)/gi) ?? []);
        expect([values.length, status === 'ok' || includes.length === 1]).toEqual([1, true]);
      });
      await fc.assert(property, { numRuns: 500 });
    });

    it('has our host besides its addresses, which may change', async () => {
      const published = 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all';
      expect(await offered(published)).toMatchObject({
        status: 'ok',
        values: ['v=spf1 include:mail.example ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'],
      });
    });

    it('is the whole one when there are several', async () => {
      expect(await offered('v=spf1 mx -all', 'v=spf1 -all')).toMatchObject({ values: SPF.expected });
    });
  });
});
