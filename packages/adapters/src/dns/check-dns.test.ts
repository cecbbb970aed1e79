import type { DomainName } from '@mailstead/core/domains/domain-name';
import { CheckDns, type CheckedDomain, isDnsOk } from '@mailstead/core/relay/check-dns';
import { dnsRecords } from '@mailstead/core/relay/dns-records';
import { NodeDnsResolver, type NodeDnsResolverOptions } from './node-dns-resolver.js';
import { DnsServer } from './testing/dns-server.js';

const domain: CheckedDomain = {
  name: 'customer.example' as DomainName,
  ownershipToken: '0123456789abcdef0123456789abcdef',
  records: ['k1', 'k2', 'k3'].map((key) => ({
    purpose: 'dkim',
    type: 'CNAME',
    name: `${key}._domainkey.customer.example`,
    value: `${key}.dkim.relay.example`,
  })),
  ownershipRequired: true,
  relayFailure: null,
  isDkimConfirmed: true,
  verifiedBy: null,
  isProofMissing: false,
  frontHosts: [],
};

describe('the check of a domain against a name server', () => {
  let server: DnsServer;
  let resolver: NodeDnsResolver;
  let rule: CheckDns;

  beforeEach(async () => {
    server = await DnsServer.start();
    server.txt('spf.relay.example', 'v=spf1 ip4:192.0.2.1 -all');
    resolveWith({});
  });
  afterEach(() => server.close());

  function resolveWith({ timeoutMs }: Pick<NodeDnsResolverOptions, 'timeoutMs'>): void {
    resolver = new NodeDnsResolver({ servers: [server.address], ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    rule = new CheckDns(resolver, {
      mxHosts: ['mx.mail.example'],
      spfInclude: 'spf.relay.example',
      examples: null,
    });
  }

  function publish(): void {
    for (const { type, name, value } of dnsRecords(domain.name, domain)) {
      if (type === 'TXT') server.txt(name, value);
      else server.cname(name, value);
    }
    server.mx(domain.name, { exchange: 'mx.mail.example', preference: 10 });
    server.txt(domain.name, ['v=spf1 include:spf.', 'relay.example ~all']);
  }

  const check = async () => (await rule.execute(domain)).checks;
  const statuses = async () => (await check()).map(({ record, status }) => `${record} ${status}`);

  test('is ok when the records that the portal shows are published', async () => {
    expect(isDnsOk(await check())).toBe(false);
    publish();
    const checks = await check();
    expect(isDnsOk(checks)).toBe(true);
    expect(checks.filter(({ required }) => required)).toHaveLength(6);
  });

  test('takes one deadline when the name server does not respond, and reports no record as missing', async () => {
    publish();
    resolveWith({ timeoutMs: 300 });
    for (const type of ['MX', 'TXT', 'CNAME', 'NS', 'SOA'] as const) server.fault(type, '*', 'drop');
    const executed = rule.execute(domain);
    const inTurn = async () => {
      for (let count = 0; count < 3; count += 1) await resolver.txt(domain.name);
      return 'three deadlines, one after the other';
    };
    expect(await Promise.race([executed, inTurn()])).toEqual(await executed);
    const { zone, checks } = await executed;
    expect(zone).toEqual({ name: domain.name, nameServers: [], provider: null });
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['error']));
  });

  test('reports an error only for the record whose look-up fails', async () => {
    publish();
    server.fault('CNAME', 'k2._domainkey.customer.example', 'servfail');
    expect((await statuses()).slice(0, 6)).toEqual([
      'mx ok',
      'spf ok',
      'verification ok',
      'dkim ok',
      'dkim error',
      'dkim ok',
    ]);
  });

  test('follows CNAMEs and a DNAME to the key of the provider, and compares it', async () => {
    publish();
    const dkimOf = async () =>
      (await check()).filter(({ record }) => record === 'dkim').map(({ code, found }) => [code, ...found]);
    for (const key of ['k1', 'k2', 'k3']) server.txt(`${key}.dkim.relay.example`, ['p=MI', `G${key}`]);
    server.cname('k1._domainkey.customer.example', 'k1.elsewhere.example');
    server.cname('k1.elsewhere.example', 'k1.dkim.relay.example');
    expect(await dkimOf()).toEqual([
      ['dkim_same_key', 'k1.elsewhere.example'],
      ['dkim_ok', 'k2.dkim.relay.example'],
      ['dkim_ok', 'k3.dkim.relay.example'],
    ]);
    server.txt('k1.elsewhere.example', 'p=MIGother');
    expect((await dkimOf())[0]).toEqual(['dkim_other_zone', 'k1.elsewhere.example']);
    server.withdraw('CNAME', ...['k1', 'k2', 'k3'].map((key) => `${key}._domainkey.customer.example`));
    server.dname('_domainkey.customer.example', 'dkim.relay.example');
    expect((await dkimOf())[1]).toEqual(['dkim_ok', 'k2.dkim.relay.example']);
    server.dname('_domainkey.customer.example', 'keys.elsewhere.example');
    server.cname('k2.keys.elsewhere.example', 'k2.dkim.relay.example');
    expect(await dkimOf()).toEqual([
      ['dkim_other_zone', 'k1.keys.elsewhere.example'],
      ['dkim_same_key', 'k2.keys.elsewhere.example'],
      ['dkim_other_zone', 'k3.keys.elsewhere.example'],
    ]);
  });

  test('tells a subdomain that is a CNAME, or below a DNAME, whose records were found', async () => {
    const below = { ...domain, name: 'mail.customer.example' as DomainName };
    const codes = async () => (await rule.execute(below)).checks.slice(0, 2).map(({ code, params }) => [code, params]);
    server.cname(below.name, 'host.web.example').mx('host.web.example', { exchange: 'mx.web.example', preference: 1 });
    const isCname = ['name_is_cname', { name: below.name, target: 'host.web.example' }];
    expect(await codes()).toEqual([isCname, isCname]);
    server.withdraw('CNAME', below.name);
    expect((await codes())[0]?.[0]).toBe('mx_missing');
    server.dname(domain.name, 'customer.web.example');
    expect((await codes())[0]).toEqual(['name_is_cname', { name: below.name, target: 'mail.customer.web.example' }]);
  });

  test('accepts an own name of our host as MX, an alias too, and needs an answer for its addresses', async () => {
    publish();
    server.a('mx.mail.example', '192.0.2.25').aaaa('mx.mail.example', '2001:DB8:0:0::25');
    server.mx(domain.name, { exchange: 'mail.customer.example', preference: 10 });
    server.cname('mail.customer.example', 'host.customer.example').aaaa('host.customer.example', '2001:db8::25');
    const mxOf = async () => (await check()).find(({ record }) => record === 'mx');
    expect(await mxOf()).toMatchObject({ status: 'ok', code: 'mx_own_name', found: ['mail.customer.example'] });
    server.aaaa('host.customer.example', '2001:db8::99');
    expect(await mxOf()).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere' });
    for (const type of ['A', 'AAAA'] as const) server.fault(type, 'mail.customer.example', 'servfail');
    expect(await mxOf()).toMatchObject({ status: 'error', params: { name: 'mail.customer.example' } });
  });

  test('accepts the address of a domain without an MX, which takes at most two deadlines', async () => {
    publish();
    server.mx(domain.name);
    server.a('mx.mail.example', '192.0.2.25').a(domain.name, '192.0.2.25');
    expect(await statuses()).toContain('mx ok');
    resolveWith({ timeoutMs: 300 });
    for (const type of ['A', 'AAAA'] as const) server.fault(type, '*', 'drop');
    server.fault('TXT', 'silent.example', 'drop');
    const executed = statuses();
    const inTurn = async () => {
      for (let count = 0; count < 3; count += 1) await resolver.txt('silent.example');
      return 'three deadlines, one after the other';
    };
    expect(await Promise.race([executed, inTurn()])).toEqual(await executed);
    expect(await executed).toContain('mx error');
  });

  test('reads a null MX and a loop of CNAMEs', async () => {
    publish();
    server.mx(domain.name, { exchange: '.', preference: 0 });
    server.cname('_dmarc.customer.example', 'loop.example').cname('loop.example', '_dmarc.customer.example');
    const found = await statuses();
    expect(found).toContain('mx mismatch');
    expect(found).toContain('dmarc missing');
  });

  test('finds the zone of a subdomain, and does not take the zone of an alias for it', async () => {
    const below = { ...domain, name: 'mail.customer.example' as DomainName };
    server.soa(domain.name, 'ns1.host.example').ns(domain.name, 'NS2.host.example', 'ns1.host.example');
    server.soa('parked.example', 'ns.parked.example').ns('parked.example', 'ns.parked.example');
    server.cname(below.name, 'parked.example');
    expect((await rule.execute(below)).zone).toEqual({
      name: domain.name,
      nameServers: ['ns1.host.example', 'ns2.host.example'],
      provider: null,
    });
  });
});
