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
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: true,
  frontHosts: [],
};
const PIECES = [
  'v=spf1 ',
  'include:spf.relay.example ',
  'redirect=',
  'a:b/1 ',
  'ip4:1 ',
  'ip4:198.51.100.1 ',
  'exists:%{i}.',
  'exists:%{ir}.b.example ',
  'mx:%{d}.b.example/24//64 ',
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

const RELAY = 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all';

/** Names that all have the same records, but those of the relay have others. */
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

  override addressesOf(): Promise<DnsAnswer<string>> {
    return found(this.texts.slice(0, MOST_ADDRESSES));
  }

  override ptr(): Promise<DnsAnswer<string>> {
    return found(this.texts);
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    if (name === 'spf.relay.example') return found([RELAY]);
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

type Outcome = 'many' | 'none' | 'failed';
const OUTCOMES: Outcome[] = ['many', 'none', 'failed'];
/** Each type of look-up; TXT of names that begin with an underscore, which no SPF record has, by itself. */
const TYPES = ['MX', 'A', 'TXT', '_TXT', 'CNAME', 'NS', 'SOA'] as const;
type Type = (typeof TYPES)[number];

/** Every name has the same outcome for a type of look-up. Many records are other ones at each name. */
class HostileZone extends DnsResolver {
  readonly asked = Object.fromEntries(TYPES.map((type) => [type, 0])) as Record<Type, number>;

  constructor(private readonly outcomes: Record<Type, Outcome>) {
    super();
  }

  override mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.lookUp('MX', (index) => ({ exchange: `${index}.${name}`, priority: index }));
  }

  override addresses(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('A', (index) => `${name === MX ? '192.0.2' : '198.51.100'}.${index}`);
  }

  /** Only for SPF records with other terms (`spf-costs.test.ts`). */
  override addressesOf(): Promise<DnsAnswer<string>> {
    throw new Error('not asked');
  }

  override ptr(): Promise<DnsAnswer<string>> {
    throw new Error('not asked');
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    if (name.startsWith('_')) return this.lookUp('_TXT', (index) => `${index}`);
    const includes = Array.from({ length: 20 }, (_, index) => `include:${index}.${name}`).join(' ');
    return this.lookUp('TXT', (index) => (index === 0 ? `v=spf1 ${includes}` : `${index}`));
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('CNAME', (index) => `${index}.${name}`);
  }

  override ns(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('NS', (index) => `${index}.${name}`);
  }

  override soa(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('SOA', (index) => `${index}.${name}`);
  }

  private lookUp<Value>(type: Type, valueOf: (index: number) => Value): Promise<DnsAnswer<Value>> {
    this.asked[type] += 1;
    if (this.outcomes[type] === 'failed') return Promise.resolve({ outcome: 'error', reason: 'No answer' });
    return found(this.outcomes[type] === 'none' ? [] : Array.from({ length: 20 }, (_, index) => valueOf(index)));
  }
}

/**
 * The zones: each combination of an outcome for every type. In a quick test those in which all types but one have the
 * same outcome, and some others.
 */
function hostileZones(): HostileZone[] {
  const combinations = TYPES.reduce<Record<string, Outcome>[]>(
    (all, type) => all.flatMap((begun) => OUTCOMES.map((outcome) => ({ ...begun, [type]: outcome }))),
    [{}],
  );
  const isNearlyUniform = (outcomes: Record<string, Outcome>) =>
    OUTCOMES.some((outcome) => Object.values(outcomes).filter((each) => each !== outcome).length <= 1);
  return [
    ...combinations.filter(isNearlyUniform),
    ...sampled(
      combinations.filter((outcomes) => !isNearlyUniform(outcomes)),
      60,
    ),
  ].map((outcomes) => new HostileZone(outcomes as Record<Type, Outcome>));
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
    for (const piece of ['', ...sampled(PIECES, 1)]) {
      for (const isSame of [true, false]) {
        const textsOf = (count: number) =>
          Array.from({ length: count }, (_, index) => (isSame ? piece : `${piece}${10_000 + index}-`));
        await expectLinearCost(MOST_RECORDS, (count) => new EqualRecords(textsOf(count), textsOf(count)), check);
        await expectLinearCost(MOST_RECORDS, (count) => new EqualRecords(textsOf(count), null), check);
      }
    }
  });

  it('makes a fixed number of look-ups at most, whatever the owner of the domain publishes', async () => {
    const most = Object.fromEntries(TYPES.map((type) => [type, 0]));
    // Long enough for all names above it that DMARC and the search for the zone ask about.
    const name = 'a.b.c.d.e.f.g.h.example.com' as DomainName;
    for (const zone of hostileZones()) {
      await new CheckDns(zone, { mxHosts: [MX], spfInclude: 'spf.relay.example', examples: null }).execute({
        ...DOMAIN,
        name,
      });
      for (const type of TYPES) most[type] = Math.max(most[type] ?? 0, zone.asked[type]);
    }
    expect(most).toEqual({
      MX: 1,
      // Ten exchanges and our one host. Each is two questions, A and AAAA.
      A: 11,
      // The SPF record, and those it includes: ten are looked up ahead, then nine below the first of them, and so on.
      // The record of the relay and the ten that it includes first. Then the key that is TXT, and the other one at its
      // name and at the target.
      TXT: 1 + 55 + 11 + 3,
      // Eight of DMARC, MTA-STS, TLS-RPT, the ownership at its name and at the doubled one.
      _TXT: 8 + 1 + 1 + 2,
      // The key at its name and at the doubled one, and the zone, which is searched at seven names.
      CNAME: 2 + 7,
      NS: 7,
      SOA: 7,
    });
  });
});
