import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { CheckDns, type CheckedDomain, isDnsOk, type ReportedCheck } from './check-dns.js';
import type { DnsCheck } from './dns-check.js';
import type { DnsRecord } from './dns-records.js';

const NAME = 'example.com' as DomainName;
const ZONE = 'dkim.relay.example';
const UNSET = { mxHosts: [], spfInclude: null, examples: null };
const CHALLENGE = '_mailstead-challenge.example.com';

const keyName = (key: string) => `${key}._domainkey.example.com`;

const domain: CheckedDomain = {
  name: NAME,
  ownershipToken: 'abc123',
  records: ['k1', 'k2', 'k3'].map(
    (key): DnsRecord => ({ purpose: 'dkim', type: 'CNAME', name: keyName(key), value: `${key}.${ZONE}` }),
  ),
  ownershipRequired: false,
  relayFailure: null,
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: false,
  frontHosts: [],
};

describe('the check of a domain', () => {
  let dns: ScriptedDns;
  let rule: CheckDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    const mxHosts = ['MX1.mail.example', 'mx2.mail.example.'];
    rule = new CheckDns(dns, { mxHosts, spfInclude: 'spf.relay.example', examples: null });
    setMx('mx1.mail.example', 'mx2.mail.example');
    dns.set('TXT', 'spf.relay.example', 'v=spf1 ip4:192.0.2.1 -all');
    dns.set('TXT', NAME, 'v=spf1 include:spf.relay.example -all');
    dns.set('TXT', CHALLENGE, 'token=abc123');
    for (const { name, value } of domain.records) dns.set('CNAME', name, value);
  });

  function setMx(...hosts: string[]): void {
    dns.mxRecords.set(
      NAME,
      hosts.map((exchange, index) => ({ exchange, priority: index })),
    );
  }

  const checksOf = async (given: CheckedDomain) => (await rule.execute(given)).checks;

  async function check(record: DnsCheck['record'], given = domain): Promise<ReportedCheck> {
    const found = (await checksOf(given)).find((entry) => entry.record === record);
    if (found === undefined) throw new Error(`no check of ${record}`);
    return found;
  }

  test('is ok when all required records are published, and returns a check for every record', async () => {
    const checks = await checksOf(domain);
    expect(checks.map(({ record, type, status, required }) => [record, type, status, required])).toEqual([
      ['mx', 'MX', 'ok', true],
      ['spf', 'TXT', 'ok', true],
      ['verification', 'TXT', 'ok', false],
      ['dkim', 'CNAME', 'ok', true],
      ['dkim', 'CNAME', 'ok', true],
      ['dkim', 'CNAME', 'ok', true],
      ['dmarc', 'TXT', 'missing', false],
      ['mta_sts', 'TXT', 'missing', false],
      ['tls_rpt', 'TXT', 'missing', false],
    ]);
    expect(isDnsOk(checks)).toBe(true);
    for (const { detail } of checks) expect(detail).toMatch(/^[A-Z].*\.$/);
  });

  test('looks up all records concurrently', async () => {
    let asked = 0;
    const pending = (): Promise<never> => {
      asked += 1;
      return new Promise(() => {});
    };
    const all = { mx: pending, txt: pending, cname: pending, ns: pending, soa: pending };
    void new CheckDns(Object.assign(new ScriptedDns(), all), UNSET).execute(domain);
    // Nine records, the DMARC record above, the key at the name of each DKIM record and at its target, and the NS, SOA
    // and CNAME of the domain, which show whether it is a zone.
    expect(asked).toBe(19);
  });

  test('reports the records of an empty zone as missing, and those of an unreachable zone as neither missing nor ok', async () => {
    dns = new ScriptedDns();
    rule = new CheckDns(dns, { mxHosts: ['mx1.mail.example'], spfInclude: 'spf.relay.example', examples: null });
    const missing = await checksOf(domain);
    expect(missing.map(({ status }) => status)).toEqual(Array(9).fill('missing'));
    expect(isDnsOk(missing)).toBe(false);
    for (const { type, name } of missing) dns.broken.add(`${type} ${name}`);
    const unreachable = await checksOf(domain);
    expect(unreachable.map(({ status }) => status)).toEqual(Array(9).fill('error'));
    expect(isDnsOk(unreachable)).toBe(false);
  });

  test('compares hosts only when they are configured', async () => {
    rule = new CheckDns(dns, UNSET);
    const unset = { status: 'ok', required: false, expected: [], detail: expect.stringContaining('not set up') };
    for (const record of ['mx', 'spf'] as const) expect(await check(record)).toMatchObject(unset);
  });

  describe('gives the records to publish', () => {
    const recordsOf = async (given: CheckedDomain) => {
      const shown: unknown[] = [];
      for (const { records } of await checksOf(given)) {
        for (const { type, name, relativeName, priority } of records) shown.push([type, name, relativeName, priority]);
      }
      return shown;
    };

    test('with the priority of each MX, also for a check that is ok or that could not be made', async () => {
      const mx = [
        { type: 'MX', name: NAME, relativeName: '@', priority: 10, value: 'mx1.mail.example' },
        { type: 'MX', name: NAME, relativeName: '@', priority: 20, value: 'mx2.mail.example' },
      ];
      expect(await check('mx')).toMatchObject({ status: 'ok', records: mx });
      dns.broken.add(`MX ${NAME}`);
      expect(await check('mx')).toMatchObject({ status: 'error', records: mx });
    });

    test('with the name within the zone beside the full name', async () => {
      expect(await recordsOf(domain)).toEqual([
        ['MX', 'example.com', '@', 10],
        ['MX', 'example.com', '@', 20],
        ['TXT', 'example.com', '@', null],
        ['TXT', CHALLENGE, '_mailstead-challenge', null],
        ...['k1', 'k2', 'k3'].map((key) => ['CNAME', keyName(key), `${key}._domainkey`, null]),
        ['TXT', '_dmarc.example.com', '_dmarc', null],
      ]);
    });

    test('with names relative to the zone above a subdomain, unless the subdomain is a zone', async () => {
      const below = { ...domain, name: 'shop.example.com' as DomainName, records: [] };
      expect(await recordsOf(below)).toContainEqual(['TXT', 'shop.example.com', 'shop', null]);
      expect(await recordsOf(below)).toContainEqual(['TXT', '_dmarc.shop.example.com', '_dmarc.shop', null]);
      dns.set('NS', 'shop.example.com', 'ns1.host.example');
      expect(await recordsOf(below)).toContainEqual(['TXT', 'shop.example.com', '@', null]);
      expect(await recordsOf(below)).toContainEqual(['TXT', '_dmarc.shop.example.com', '_dmarc', null]);
    });

    test('and none where no specific record is needed', async () => {
      rule = new CheckDns(dns, UNSET);
      const below = { ...domain, name: 'shop.example.com' as DomainName, verifiedBy: { name: NAME } };
      expect(await recordsOf(below)).toEqual([['TXT', '_dmarc.shop.example.com', '_dmarc.shop', null]]);
    });
  });

  describe('of MX', () => {
    test.each([
      [['mx1.mail.example'], 'ok', 'Add mx2.mail.example'],
      [['mx2.mail.example', 'old.example'], 'ok', 'may also be delivered to old.example'],
      [['mx1.mail.example', 'mx2.mail.example', 'old.example'], 'ok', 'Mail arrives here. Some mail may also'],
      [['old.example'], 'mismatch', 'is delivered to other hosts: old.example'],
      [['mx1.mail.example.example.com'], 'mismatch', 'was appended to the host'],
    ])('%j is %s: %s', async (hosts, status, sentence) => {
      setMx(...hosts);
      expect(await check('mx')).toMatchObject({ status, found: hosts, detail: expect.stringContaining(sentence) });
    });

    test('warns of hosts that are not ours beside ours, and of nothing when no host is ours', async () => {
      setMx('mx1.mail.example', 'mx2.mail.example', 'old.example', 'older.example');
      expect(await check('mx')).toMatchObject({
        status: 'ok',
        code: 'mx_arrives',
        warnings: [{ code: 'foreign_mx', params: { hosts: 'old.example, older.example' } }],
      });
      setMx('mx2.mail.example', 'old.example');
      expect(await check('mx')).toMatchObject({
        code: 'mx_incomplete',
        params: { hosts: 'mx1.mail.example' },
        warnings: [{ code: 'foreign_mx', params: { hosts: 'old.example' } }],
      });
      setMx('old.example');
      expect(await check('mx')).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere', warnings: [] });
      rule = new CheckDns(dns, UNSET);
      expect(await check('mx')).toMatchObject({ status: 'ok', code: 'mx_hosts_unset', warnings: [] });
    });

    test('reports that a domain with a null MX accepts no mail', async () => {
      setMx('');
      expect(await check('mx')).toMatchObject({
        status: 'mismatch',
        found: ['.'],
        expected: ['mx1.mail.example', 'mx2.mail.example'],
        detail: expect.stringContaining('null MX'),
      });
    });
  });

  describe('of the ownership record', () => {
    test('is required only when ownership must be proven', async () => {
      dns.records.delete(`TXT ${CHALLENGE}`);
      const required = await checksOf({ ...domain, ownershipRequired: true });
      expect(isDnsOk(required)).toBe(false);
      expect(isDnsOk(await checksOf(domain))).toBe(true);
    });

    test('is found among other records', async () => {
      dns.set('TXT', CHALLENGE, 'token=old', 'token=abc123');
      expect(await check('verification')).toMatchObject({ status: 'ok', found: ['token=old', 'token=abc123'] });
    });

    test.each([
      ['"token=abc123"', 'quotation marks'],
      [' token=abc123 ', 'blanks'],
      ['abc123', 'The start of the value is missing'],
      ['token=old', 'does not belong to this domain'],
      ['hello', 'has the value token=abc123'],
    ])('%j is a mismatch: %s', async (value, sentence) => {
      dns.set('TXT', CHALLENGE, value);
      expect(await check('verification')).toMatchObject({
        status: 'mismatch',
        expected: ['token=abc123'],
        found: [value],
        detail: expect.stringContaining(sentence),
      });
    });

    test('is missing when it is at the doubled name, with that explanation', async () => {
      dns.records.delete(`TXT ${CHALLENGE}`);
      dns.set('TXT', `${CHALLENGE}.example.com`, 'token=abc123');
      expect(await check('verification')).toMatchObject({
        status: 'missing',
        detail: expect.stringContaining('the domain name was appended twice'),
      });
    });
  });

  describe('of DKIM', () => {
    test('gives one error with the reason when there are no records', async () => {
      const none = { ...domain, records: [] };
      const waiting = (await checksOf(none)).filter(({ record }) => record === 'dkim');
      expect(waiting).toHaveLength(1);
      expect(waiting[0]).toMatchObject({ status: 'error', required: true, expected: [], found: [] });
      const reason = 'The relay provider refused the domain.';
      expect(await check('dkim', { ...none, relayFailure: reason })).toMatchObject({ status: 'error', detail: reason });
    });

    test.each([
      ['k1.dkim.elsewhere.example', 'the target must end in dkim.relay.example'],
      ['k2.dkim.relay.example', 'another key'],
      ['k1.dkim.relay.example.example.com', 'appended to the target'],
      ['parked.example', 'must point to k1.dkim.relay.example'],
    ])('a CNAME to %s is a mismatch: %s', async (target, sentence) => {
      dns.set('CNAME', keyName('k1'), target);
      expect(await check('dkim')).toMatchObject({
        status: 'mismatch',
        expected: ['k1.dkim.relay.example'],
        found: [target],
        detail: expect.stringContaining(sentence),
      });
    });

    test('accepts a flattened record that is the key of the target', async () => {
      dns.records.delete(`CNAME ${keyName('k1')}`);
      dns.set('TXT', keyName('k1'), 'p=MIGf');
      dns.set('TXT', `k1.${ZONE}`, 'p=MIGf');
      expect(await check('dkim')).toMatchObject({ status: 'ok', found: ['p=MIGf'] });
      dns.set('TXT', `k1.${ZONE}`, 'p=other');
      expect(await check('dkim')).toMatchObject({ status: 'mismatch', found: ['p=MIGf'] });
      dns.broken.add(`TXT k1.${ZONE}`);
      expect(await check('dkim')).toMatchObject({ status: 'error' });
    });

    test('is a mismatch when the target is published as TXT', async () => {
      dns.records.delete(`CNAME ${keyName('k1')}`);
      dns.set('TXT', keyName('k1'), '"k1.dkim.relay.example."');
      expect(await check('dkim')).toMatchObject({
        status: 'mismatch',
        detail: expect.stringContaining('must be CNAME'),
      });
    });

    test('is missing when the CNAME is at the doubled name, with that explanation', async () => {
      dns.records.delete(`CNAME ${keyName('k1')}`);
      dns.set('CNAME', `${keyName('k1')}.example.com`, `k1.${ZONE}`);
      expect(await check('dkim')).toMatchObject({ status: 'missing', detail: expect.stringContaining('twice') });
    });
  });

  describe('of advice', () => {
    test('is ok for well-formed records', async () => {
      dns.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject; rua=mailto:d@example.com');
      dns.set('TXT', '_mta-sts.example.com', 'v=STSv1; id=20260301;');
      dns.set('TXT', '_smtp._tls.example.com', 'v=TLSRPTv1; rua=mailto:t@example.com');
      const advice = (await checksOf(domain)).slice(-3);
      expect(advice.map(({ status, required }) => [status, required])).toEqual(
        Array.from({ length: 3 }, () => ['ok', false]),
      );
    });

    test.each([
      [['v=DMARC1; p=maybe; rua=mailto:d@example.com'], 'is not none'],
      [['v=DMARC1; p=none', 'v=DMARC1; p=none'], 'Keep one'],
      [['"v=DMARC1; p=none"'], 'quotation marks'],
    ])('DMARC %j is a mismatch: %s', async (values, sentence) => {
      dns.set('TXT', '_dmarc.example.com', ...values);
      expect(await check('dmarc')).toMatchObject({ status: 'mismatch', detail: expect.stringContaining(sentence) });
      expect(isDnsOk(await checksOf(domain))).toBe(true);
    });

    test('uses the DMARC record of the organizational domain for a subdomain', async () => {
      dns.set('TXT', '_dmarc.example.co.uk', 'v=DMARC1; p=none');
      const below = { ...domain, name: 'mail.shop.example.co.uk' as DomainName };
      expect(await check('dmarc', below)).toMatchObject({
        name: '_dmarc.mail.shop.example.co.uk',
        status: 'ok',
        detail: 'The DMARC record of example.co.uk applies.',
      });
    });
  });
});
