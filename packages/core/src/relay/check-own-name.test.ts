import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { CheckDns, type CheckedDomain, type ReportedCheck } from './check-dns.js';

const NAME = 'shop.example.com' as DomainName;
const TARGET = 'host.web.example';
const OURS = 'mx1.mail.example';
const SPF = 'v=spf1 include:spf.relay.example ~all';
const IS_CNAME = { code: 'name_is_cname', params: { name: NAME, target: TARGET } };
const DOMAIN: CheckedDomain = {
  name: NAME,
  ownershipToken: 'abc123',
  records: [{ purpose: 'dkim', type: 'CNAME', name: `k1._domainkey.${NAME}`, value: 'k1.dkim.relay.example' }],
  ownershipRequired: true,
  relayFailure: null,
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: true,
  frontHosts: [],
};

describe('a domain whose own name is a CNAME', () => {
  let dns: ScriptedDns;
  const reportOf = () =>
    new CheckDns(dns, { mxHosts: [OURS], spfInclude: 'spf.relay.example', examples: null }).execute(DOMAIN);
  const checkOf = async (record: string): Promise<ReportedCheck | undefined> =>
    (await reportOf()).checks.find((check) => check.record === record);
  const setMx = (exchange: string) => dns.mxRecords.set(NAME, [{ exchange, priority: 10 }]);

  beforeEach(() => {
    dns = new ScriptedDns().set('CNAME', NAME, TARGET).set('TXT', 'spf.relay.example', 'v=spf1 ip4:192.0.2.1 -all');
  });

  test('is told so first, and whose records were found, with what is wrong with them after it', async () => {
    setMx('mx.web.example');
    dns.set('TXT', NAME, 'v=spf1 include:web.example -all').set('TXT', 'web.example', 'v=spf1 ip4:192.0.2.9 -all');
    expect(await checkOf('mx')).toMatchObject({
      status: 'mismatch',
      ...IS_CNAME,
      found: ['mx.web.example'],
      warnings: [{ code: 'mx_elsewhere', detail: expect.stringMatching(/^Mail for shop\.example\.com is delivered/) }],
      detail: expect.stringMatching(/^shop\.example\.com is a CNAME of host\.web\.example, .+ Mail for shop/),
      records: [{ type: 'MX', name: NAME, value: OURS }],
      // What is to be asked stays.
      first: ['mx.web.example'],
    });
    // The record to publish is a new one: that of the target is the target's.
    expect(await checkOf('spf')).toMatchObject({
      status: 'mismatch',
      ...IS_CNAME,
      warnings: [{ code: 'spf_include_missing' }],
      records: [{ type: 'TXT', name: NAME, value: SPF }],
    });
  });

  test('is told so when the target has no records', async () => {
    expect(await checkOf('mx')).toMatchObject({ status: 'missing', ...IS_CNAME, warnings: [{ code: 'mx_missing' }] });
    expect(await checkOf('spf')).toMatchObject({ status: 'missing', ...IS_CNAME, warnings: [{ code: 'spf_missing' }] });
  });

  test('has a warning, before all others, when the records of the target are the right ones', async () => {
    dns.mxRecords.set(NAME, [
      { exchange: OURS, priority: 10 },
      { exchange: 'mx.web.example', priority: 20 },
    ]);
    dns.set('TXT', NAME, SPF);
    expect(await checkOf('mx')).toMatchObject({
      status: 'ok',
      code: 'mx_arrives',
      warnings: [IS_CNAME, { code: 'foreign_mx' }],
      detail: expect.stringMatching(/^Mail arrives here\. shop\.example\.com is a CNAME .+ Some mail may also/),
    });
    expect(await checkOf('spf')).toMatchObject({ status: 'ok', code: 'spf_ok', warnings: [IS_CNAME] });
  });

  test('is not told so by a check that could not be made, nor when the CNAME cannot be looked up', async () => {
    dns.broken.add(`MX ${NAME}`);
    expect(await checkOf('mx')).toMatchObject({ status: 'error', code: 'lookup_failed', warnings: [] });
    dns.broken.add(`CNAME ${NAME}`);
    expect(await checkOf('spf')).toMatchObject({ status: 'missing', code: 'spf_missing', warnings: [] });
  });

  test('may have CNAMEs at the names of its other records', async () => {
    dns.records.delete(`CNAME ${NAME}`);
    const names = [`_dmarc.${NAME}`, `_mta-sts.${NAME}`, `_smtp._tls.${NAME}`, `_mailstead-challenge.${NAME}`];
    for (const name of names) dns.set('CNAME', name, 'elsewhere.example');
    dns.set('TXT', `_dmarc.${NAME}`, 'v=DMARC1; p=reject').set('TXT', `_mta-sts.${NAME}`, 'v=STSv1; id=1');
    const { checks } = await reportOf();
    const findings = checks.flatMap(({ code, warnings }) => [code, ...warnings.map((warning) => warning.code)]);
    expect(findings).not.toContain('name_is_cname');
    expect(findings.filter((code) => code === 'advice_ok')).toHaveLength(2);
  });

  test('is looked at by what the target has, as it is without a reader', async () => {
    setMx('mx.web.example');
    expect((await reportOf()).looked).toMatchObject([
      { record: 'mx', status: 'mismatch', code: 'mx_elsewhere' },
      { record: 'spf', status: 'missing', code: 'spf_missing' },
    ]);
  });
});
