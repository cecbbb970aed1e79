import { spf } from 'mailauth/lib/spf/index.js';
import fc from '../../../../../scripts/fast-check.mjs';
import { sampleSize } from '../../testing/sampled.js';
import { ScriptedDns } from '../../testing/scripted-dns.js';
import type { DnsAnswer } from '../dns-resolver.js';
import { evaluateSpf } from './evaluate-spf.js';
import { parseIp } from './ip-address.js';
import { SpfLookups } from './spf-lookups.js';

/** A zone of a few names, so that terms often lead to a name that has something. */
const NAMES = ['a', 'b', 'c', 'd', 'e'].map((label) => `${label}.example`);
const DOMAIN = 'a.example';
const SENDER = `strong-bad@${DOMAIN}`;
const HELO = 'mta.example.org';
const ADDRESSES = ['192.0.2.1', '192.0.2.77', '198.51.100.1', '2001:db8::1', '2001:db8:0:1::1', '2001:db8:ffff::1'];
const RUNS = sampleSize(1_500, 500);

const name = fc.constantFrom(...NAMES);
const qualifier = fc.constantFrom('', '', '', '+', '-', '~', '?');
const prefixes = fc.constantFrom('', '', '/24', '/0', '/32', '//64', '//128', '/24//48', '/25//0');
const target = fc.option(
  name.map((host) => `:${host}`),
  { nil: '' },
);
/** `%{d}` and `%{p}` are left out: mailauth takes the sender's domain for both (RFC 7208 section 7.2). */
const macro = fc.constantFrom('%{i}', '%{ir}', '%{v}', '%{l}', '%{l1r-}', '%{o}', '%{o1}', '%{h2}');
/** mailauth reads `ip6:::/0` as a single address. */
const network = fc.constantFrom(
  'ip4:192.0.2.1',
  'ip4:192.0.2.64/26',
  'ip4:192.0.2.0/0',
  'ip4:198.51.100.0/24',
  'ip6:2001:db8::1',
  'ip6:2001:db8::/48',
  'ip6:2001:db8:ffff::/33',
);
const mechanism = fc.oneof(
  network,
  name.map((host) => `include:${host}`),
  fc.tuple(target, prefixes).map((parts) => `a${parts.join('')}`),
  fc.tuple(target, prefixes).map((parts) => `mx${parts.join('')}`),
  fc.tuple(macro, name).map((parts) => `exists:${parts.join('.')}`),
  name.map((host) => `exists:${host}`),
);
/** At the beginning of a record: mailauth sees most faults only when it comes to them (section 4.6: anywhere). */
const faults = fc.constantFrom('ip4:192.0.2.300', 'ip4:192.0.2.0/33', 'ip6:2001:db8::/129', 'a:', 'all:x', 'mix');
const end = fc.oneof(
  fc.constantFrom('', 'all', '-all', '~all', '?all', 'exp=why.example', 'moo=cow'),
  name.map((host) => `redirect=${host}`),
);
const record = fc
  .tuple(
    fc.option(faults, { nil: '', freq: 12 }),
    fc.array(
      fc.tuple(qualifier, mechanism).map((parts) => parts.join('')),
      { maxLength: 5 },
    ),
    end,
  )
  .map(([fault, terms, last]) => ['v=spf1', fault, ...terms, last].filter((word) => word !== '').join(' '));
const addresses = fc.subarray(ADDRESSES, { maxLength: 3 });
const entry = fc.record({
  texts: fc.oneof(
    { weight: 6, arbitrary: record.map((text) => [text]) },
    { weight: 1, arbitrary: fc.constantFrom([], ['another text'], ['v=spf1 -all', 'v=spf1 +all']) },
  ),
  addresses,
  exchanges: fc.uniqueArray(name, { maxLength: 3 }),
  broken: fc.constantFrom(...Array<string>(12).fill(''), 'TXT', 'MX'),
});
const zones = fc.array(entry, { minLength: NAMES.length, maxLength: NAMES.length });
/** What macros stand for, below the names. */
const MACRO_TEXTS = ['192.0.2.1', '1.2.0.192', '77.2.0.192', 'in-addr', 'ip6', 'strong-bad', 'strong', 'example', HELO];

function zoneOf(entries: readonly (typeof entry extends fc.Arbitrary<infer Entry> ? Entry : never)[]): ScriptedDns {
  const dns = new ScriptedDns();
  for (const [index, { texts, exchanges, broken, ...given }] of entries.entries()) {
    const host = NAMES[index] ?? '';
    if (texts.length > 0) dns.set('TXT', host, ...texts);
    if (given.addresses.length > 0) dns.set('A', host, ...given.addresses);
    if (exchanges.length > 0)
      dns.mxRecords.set(
        host,
        exchanges.map((exchange, priority) => ({ exchange, priority })),
      );
    if (index % 2 === 0) for (const text of MACRO_TEXTS) dns.set('A', `${text}.${host}`, '127.0.0.2');
    if (broken !== '') dns.broken.add(`${broken} ${host}`);
  }
  return dns;
}

/** The resolver that mailauth expects, as `dns.promises.resolve`; its type leaves MX records out. */
function resolverOf(dns: ScriptedDns): (host: string, type: string) => Promise<string[]> {
  const resolve = async (host: string, type: string): Promise<unknown[]> => {
    switch (type) {
      case 'TXT':
        return valuesOf(await dns.txt(host)).map((text) => [text]);
      case 'MX':
        return valuesOf(await dns.mx(host));
      default:
        return valuesOf(await dns.addressesOf(type === 'AAAA' ? 6 : 4, host));
    }
  };
  return resolve as (host: string, type: string) => Promise<string[]>;
}

function valuesOf<Value>(answer: DnsAnswer<Value>): Value[] {
  if (answer.outcome === 'found') return answer.values;
  throw Object.assign(new Error(answer.outcome), { code: answer.outcome === 'missing' ? 'ENOTFOUND' : 'ETIMEOUT' });
}

describe('the evaluation of SPF', () => {
  it('has the result of mailauth, for any records that name each other', async () => {
    const results = new Set<string>();
    const property = fc.asyncProperty(zones, fc.constantFrom(...ADDRESSES), async (entries, address) => {
      const dns = zoneOf(entries);
      const ip = parseIp(address);
      if (ip === null) throw new Error(`${address} is no address`);
      const client = { ip, localPart: 'strong-bad', senderDomain: DOMAIN, helo: HELO };
      const { result } = await evaluateSpf(new SpfLookups(dns), DOMAIN, client);
      // Its limit of look-ups without an answer may differ from receiver to receiver (section 4.6.4).
      const options = { sender: SENDER, ip: address, helo: HELO, mta: HELO, maxVoidCount: 1_000 };
      const { status } = await spf({ ...options, resolver: resolverOf(dns) });
      expect(result).toBe(status.result);
      results.add(result);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect([...results].toSorted()).toEqual(['fail', 'neutral', 'none', 'pass', 'permerror', 'softfail', 'temperror']);
  });
});
