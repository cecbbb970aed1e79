import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { CheckDns, type CheckedDomain } from './check-dns.js';
import type { DnsCheck } from './dns-check.js';

const NAME = 'example.com' as DomainName;
const EXAMPLES = {
  mxHosts: ['mx1.mailstead.example', 'mx2.mailstead.example'],
  spfInclude: 'spf.mailstead.example',
};
const domain: CheckedDomain = {
  name: NAME,
  ownershipToken: 'abc123',
  records: [],
  ownershipRequired: false,
  relayFailure: null,
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: false,
  frontHosts: [],
};

describe('the check of a domain, with examples in place of mail hosts', () => {
  const checksOf = async (dns: ScriptedDns, examples: typeof EXAMPLES | null) =>
    (await new CheckDns(dns, { mxHosts: [], spfInclude: null, examples }).execute(domain)).checks;

  test('shows them as the records of MX and SPF', async () => {
    const shown = (await checksOf(new ScriptedDns(), EXAMPLES)).filter(({ isExample }) => isExample);
    const records = shown.flatMap((check) => check.records);
    expect(records.map(({ type, priority, value }) => [type, priority, value])).toEqual([
      ['MX', 10, 'mx1.mailstead.example'],
      ['MX', 20, 'mx2.mailstead.example'],
      ['TXT', null, 'v=spf1 include:spf.mailstead.example ~all'],
    ]);
    expect((await checksOf(new ScriptedDns(), null)).filter(({ isExample }) => isExample)).toEqual([]);
  });

  test('gives the same verdicts as without them, whatever is published', async () => {
    const verdicts = (checks: DnsCheck[]) =>
      checks.map(({ record, status, required, expected, code }) => ({ record, status, required, expected, code }));
    for (const published of [[], ['v=spf1 mx -all'], ['v=spf1 include:spf.mailstead.example ~all']]) {
      const dns = new ScriptedDns();
      dns.set('TXT', NAME, ...published);
      expect(verdicts(await checksOf(dns, EXAMPLES))).toEqual(verdicts(await checksOf(dns, null)));
    }
  });

  test('looks none of them up', async () => {
    const asked: string[] = [];
    const unknown = (name: string) => {
      asked.push(name);
      return Promise.resolve({ outcome: 'error', reason: 'nobody is asked' } as const);
    };
    const all = { mx: unknown, txt: unknown, cname: unknown, ns: unknown, soa: unknown };
    await checksOf(Object.assign(new ScriptedDns(), all), EXAMPLES);
    expect(asked).toContain(NAME);
    // The walk to a DMARC record goes on above the domain.
    expect(asked.filter((name) => !name.endsWith(NAME))).toEqual(['_dmarc.com']);
  });
});
