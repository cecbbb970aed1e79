import type { DomainName } from '../domains/domain-name.js';
import { expectLinearCost, expectLinearTexts } from '../testing/linear-cost.js';
import { sampled, sampleSize } from '../testing/sampled.js';
import { CheckDns, type CheckedDomain } from './check-dns.js';
import { type DnsAnswer, DnsResolver, type MxRecord } from './dns-resolver.js';

/** Where the resolver cuts a TXT record. */
const LONGEST = 4_096;
/** More than fit into an answer of 64 kB. */
const MOST_RECORDS = 6_000;
/** Where the resolver cuts the addresses of a name. */
const MOST_ADDRESSES = 64;
const MX = 'mx1.mail.example';
const RECORDS: CheckedDomain['records'] = [
  { purpose: 'dkim', type: 'CNAME', name: 'k1._domainkey.example.com', value: 'k1.dkim.relay.example' },
  { purpose: 'dkim', type: 'TXT', name: 'k2._domainkey.example.com', value: 'v=DKIM1; k=rsa; p=MIG' },
];
const DOMAIN: CheckedDomain = {
  name: 'example.com' as DomainName,
  ownershipToken: 'abc123',
  records: RECORDS,
  ownershipRequired: true,
  relayFailure: null,
  verifiedBy: null,
  isProofMissing: true,
};
const PIECES = [
  'v=spf1 ',
  'include:spf.relay.example ',
  'redirect=',
  'a:b/1 ',
  'ip4:1 ',
  'exists:%{i}.',
  'v=DMARC1',
  '; p=none',
  'psd=y;',
  'v=STSv1; ',
  'id = ',
  'v=TLSRPTv1; ',
  'rua = mailto',
  'token=abc123',
  'v=DKIM1; k=rsa; ',
  '”',
];

/** Names that all have the same records, but those of the relay have others of the same length. */
class EqualRecords extends DnsResolver {
  constructor(
    private readonly texts: string[],
    private readonly hosts: string[] | null,
  ) {
    super();
  }

  override mx(): Promise<DnsAnswer<MxRecord>> {
    return found(this.texts.map((exchange, priority) => ({ exchange, priority })));
  }

  override addresses(name: string): Promise<DnsAnswer<string>> {
    return found(name === MX ? ['192.0.2.25'] : this.texts.slice(0, MOST_ADDRESSES));
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    return found(name.endsWith('.relay.example') ? this.texts.map((text) => `${text.slice(0, -1)}!`) : this.texts);
  }

  override cname(): Promise<DnsAnswer<string>> {
    return this.hosts === null ? Promise.resolve({ outcome: 'missing' }) : found(this.hosts);
  }

  override ns(): Promise<DnsAnswer<string>> {
    return found(this.hosts ?? []);
  }

  override soa(): Promise<DnsAnswer<string>> {
    return found(this.hosts ?? []);
  }
}

function found<Value>(values: Value[]): Promise<DnsAnswer<Value>> {
  return Promise.resolve(values.length === 0 ? { outcome: 'missing' } : { outcome: 'found', values });
}

describe('the check of the DNS', () => {
  const rules = (dns: DnsResolver) =>
    ['spf.relay.example', null].map((spfInclude) => new CheckDns(dns, { mxHosts: [MX], spfInclude, examples: null }));
  const check = async (dns: DnsResolver) => {
    for (const rule of rules(dns)) await rule.execute(DOMAIN);
  };

  it.each(['', ...PIECES])('takes at most 2.5 times as long when a record is twice as long: %s', async (beginning) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 3),
      inputOf: (text) => new EqualRecords([(beginning + text).slice(0, LONGEST)], [text]),
      read: check,
    });
  });

  it('takes at most 2.5 times as long when a name has twice as many records', async () => {
    for (const piece of ['', ...sampled(PIECES, 3)]) {
      for (const isSame of [true, false]) {
        const textsOf = (count: number) =>
          Array.from({ length: count }, (_, index) => (isSame ? piece : `${piece}${10_000 + index}-`));
        await expectLinearCost(MOST_RECORDS, (count) => new EqualRecords(textsOf(count), textsOf(count)), check);
        await expectLinearCost(MOST_RECORDS, (count) => new EqualRecords(textsOf(count), null), check);
      }
    }
  });
});
