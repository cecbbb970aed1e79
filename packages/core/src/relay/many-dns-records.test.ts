import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { CheckDns, type CheckedDomain } from './check-dns.js';

const NAME = 'example.com' as DomainName;
const KEY = 'k1._domainkey.example.com';
const OURS = 'mx1.mail.example';
const DOMAIN: CheckedDomain = {
  name: NAME,
  ownershipToken: 'abc123',
  records: [{ purpose: 'dkim', type: 'CNAME', name: KEY, value: 'k1.dkim.relay.example' }],
  ownershipRequired: true,
  relayFailure: null,
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: false,
  frontHosts: [],
};
/** As many as fit into an answer of 64 kB, with names that a DNS answer shortens. */
const HOSTS = Array.from({ length: 3_500 }, (_, index) => `${index}.${'a23456789.'.repeat(24)}example`);
const FIRST = HOSTS.slice(0, 20);

describe('the check of names with thousands of records', () => {
  const reportOf = (dns: ScriptedDns) =>
    new CheckDns(dns, { mxHosts: [OURS], spfInclude: null, examples: null }).execute(DOMAIN);
  const withMx = (hosts: string[]) => {
    const dns = new ScriptedDns();
    dns.mxRecords.set(
      NAME,
      hosts.map((exchange, priority) => ({ exchange, priority })),
    );
    return dns;
  };
  const checkOf = async (dns: ScriptedDns, wanted: string) =>
    (await reportOf(dns)).checks.find(({ record }) => record === wanted);

  it('names the first 20, and how many more there are', async () => {
    expect(await checkOf(withMx(HOSTS), 'mx')).toMatchObject({
      status: 'mismatch',
      found: FIRST,
      params: { found: `${FIRST.join(', ')} (+3480)` },
    });
    expect(await checkOf(withMx(FIRST), 'mx')).toMatchObject({ found: FIRST, params: { found: FIRST.join(', ') } });
  });

  it('compares with all of them', async () => {
    const listed = `${FIRST.join(', ')} (+3480)`;
    expect(await checkOf(withMx([OURS, ...HOSTS]), 'mx')).toMatchObject({
      status: 'ok',
      warnings: [{ code: 'foreign_mx', params: { hosts: listed } }],
    });
    expect(await checkOf(withMx([...HOSTS, OURS]), 'mx')).toMatchObject({
      status: 'mismatch',
      code: 'mx_behind',
      params: { found: listed },
    });
  });

  it('has an answer that is not larger than a body of a request may be', async () => {
    const dns = withMx(HOSTS).set('CNAME', KEY, ...HOSTS);
    for (const name of [NAME, '_dmarc.example.com', '_mta-sts.example.com', '_mailstead-challenge.example.com'])
      dns.set('TXT', name, ...HOSTS.map((host) => `v=spf1 ${host}`));
    expect(JSON.stringify(await reportOf(dns)).length).toBeLessThan(262_144);
  });
});
