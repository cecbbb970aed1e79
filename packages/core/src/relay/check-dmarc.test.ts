import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkDmarc } from './check-dmarc.js';

describe('the check of DMARC', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
  });

  test('a DMARC record without p counts as p=none, and tags of the former RFC are named', async () => {
    dns.set('TXT', '_dmarc.example.com', 'v=DMARC1; rua=mailto:d@example.com; np=reject; psd=n; t=y');
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
      status: 'ok',
      code: 'dmarc_no_policy',
      warnings: [],
    });
    dns.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject; pct=50; ri=3600');
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
      status: 'ok',
      code: 'advice_ok',
      warnings: [{ code: 'dmarc_historic', params: { tags: 'pct, ri' } }],
    });
  });

  test.each(['v=DMARC1; p=none', 'V=DMARC1; p=none', 'v = DMARC1; p=none', 'v\t=\tDMARC1\t; p = none ;'])(
    '%j is a record: blanks may be around = and ; (RFC 9989 section 4.8)',
    async (record) => {
      dns.set('TXT', '_dmarc.example.com', record);
      expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
        status: 'ok',
        code: 'advice_ok',
        found: [record],
      });
    },
  );

  const lookalikes = [
    ['v=dmarc1; p=none', 'v=dmarc1'],
    ['v=DMARC10; p=none', 'v=DMARC10'],
    ['v=DMARC1 p=none', 'v=DMARC1 p=none'],
    ['v=DMARC 1; p=none', 'v=DMARC 1'],
    ['DMARC1; p=none', 'DMARC1'],
    ['p=none; v=DMARC1', 'p=none'],
    ['"v=dmarc1; p=none"', 'v=dmarc1'],
  ] as const;
  test.each(lookalikes)('%j is no record, which is said (RFC 9989 section 4.7)', async (record, beginning) => {
    dns.set('TXT', '_dmarc.example.com', 'v=spf1 -all', record);
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
      status: 'missing',
      code: 'dmarc_other_version',
      params: { beginning },
      found: [record],
    });
    dns.set('TXT', '_dmarc.com', 'v=DMARC1; p=reject');
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
      status: 'ok',
      code: 'dmarc_inherited',
      found: ['v=DMARC1; p=reject'],
      warnings: [{ code: 'dmarc_other_version', params: { beginning } }],
    });
    dns.set('TXT', '_dmarc.com', record);
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({ status: 'missing' });
  });

  test('a record of another spelling beside a right one is none', async () => {
    dns.set('TXT', '_dmarc.example.com', 'v=dmarc1; p=none', 'v=DMARC1; p=reject');
    expect(await checkDmarc(dns, 'example.com' as DomainName)).toMatchObject({
      status: 'ok',
      found: ['v=DMARC1; p=reject'],
      warnings: [],
    });
  });

  const walks: [string, Record<string, string>, string][] = [
    ['of the fewest labels', { 'b.example.com': 'p=none', 'example.com': 'p=reject' }, 'example.com'],
    ['with psd=n', { 'b.example.com': 'p=none; psd=n', 'example.com': 'p=reject' }, 'b.example.com'],
    ['below one with psd=y', { 'b.example.com': 'p=none', 'example.com': 'p=reject; psd=y' }, 'b.example.com'],
    ['with psd=y when the name below has none', { com: 'p=reject; psd=y' }, 'com'],
    ['that is the only one of its name', { 'b.example.com': 'p=none' }, 'b.example.com'],
  ];
  test.each(walks)(
    'of the DMARC records above a domain, the one %s applies',
    async (_, records: Record<string, string>, parent) => {
      for (const [name, tags] of Object.entries(records)) dns.set('TXT', `_dmarc.${name}`, `v=DMARC1; ${tags}`);
      dns.set('TXT', '_dmarc.c.b.example.com', 'v=DMARC1; p=none', 'v=DMARC1; p=none');
      const below = 'd.c.b.example.com' as DomainName;
      expect(await checkDmarc(dns, below)).toMatchObject({ status: 'ok', code: 'dmarc_inherited', params: { parent } });
    },
  );

  test('the walk to a DMARC record takes eight look-ups at most, and an error above is not a missing record', async () => {
    const asked: string[] = [];
    const txt = dns.txt.bind(dns);
    dns.txt = (name) => {
      if (name.startsWith('_dmarc.')) asked.push(name);
      return txt(name);
    };
    const below = `${'x.'.repeat(60)}example.com` as DomainName;
    dns.broken.add('TXT _dmarc.example.com');
    expect(await checkDmarc(dns, below)).toMatchObject({ status: 'error', code: 'lookup_failed' });
    expect(asked).toHaveLength(8);
    expect(asked.slice(1, 3)).toEqual(['_dmarc.x.x.x.x.x.example.com', '_dmarc.x.x.x.x.example.com']);
  });
});
