import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { findZone } from './find-zone.js';

const SUBDOMAIN = 'a.b.example.co.uk' as DomainName;

describe('the zone of a domain', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
  });

  const zoneOf = (name: string) => findZone(dns, name as DomainName, dns.cname(name));
  const setZone = (name: string, ...hosts: string[]) =>
    dns.set('NS', name, ...hosts).set('SOA', name, hosts[0] ?? 'ns.example');

  test('is the nearest name at or above it with NS records', async () => {
    setZone('example.co.uk', 'ns1.far.example');
    expect(await zoneOf(SUBDOMAIN)).toMatchObject({ name: 'example.co.uk', nameServers: ['ns1.far.example'] });
    setZone('b.example.co.uk', 'ns2.near.example', 'ns1.near.example');
    expect(await zoneOf(SUBDOMAIN)).toEqual({
      name: 'b.example.co.uk',
      nameServers: ['ns1.near.example', 'ns2.near.example'],
      provider: null,
    });
    setZone(SUBDOMAIN, 'ns1.own.example');
    expect(await zoneOf(SUBDOMAIN)).toMatchObject({ name: SUBDOMAIN });
  });

  test('is a name with an SOA record when its NS records cannot be looked up', async () => {
    dns.set('SOA', 'b.example.co.uk', 'ns1.near.example');
    dns.broken.add('NS b.example.co.uk');
    setZone('example.co.uk', 'ns1.far.example');
    expect(await zoneOf(SUBDOMAIN)).toEqual({ name: 'b.example.co.uk', nameServers: [], provider: null });
  });

  test('is the registrable domain when no look-up finds one, or every look-up fails', async () => {
    const unknown = { name: 'example.co.uk', nameServers: [], provider: null };
    expect(await zoneOf(SUBDOMAIN)).toEqual(unknown);
    for (const name of [SUBDOMAIN, 'b.example.co.uk', 'example.co.uk']) {
      for (const type of ['NS', 'SOA', 'CNAME']) dns.broken.add(`${type} ${name}`);
    }
    expect(await zoneOf(SUBDOMAIN)).toEqual(unknown);
  });

  test('is never above the registrable domain: a public suffix is not the holder of the domain', async () => {
    setZone('co.uk', 'ns1.registry.example');
    setZone('github.io', 'ns1.host.example');
    expect(await zoneOf('example.co.uk')).toEqual({ name: 'example.co.uk', nameServers: [], provider: null });
    expect(await zoneOf('someone.github.io')).toMatchObject({ name: 'someone.github.io' });
  });

  test('is not an alias, whose look-ups return the records of its target', async () => {
    setZone(SUBDOMAIN, 'ns1.target.example');
    dns.set('CNAME', SUBDOMAIN, 'target.example');
    setZone('example.co.uk', 'ns1.own.example');
    expect(await zoneOf(SUBDOMAIN)).toMatchObject({ name: 'example.co.uk', nameServers: ['ns1.own.example'] });
  });

  test('takes a bounded number of look-ups, for a name of any number of labels', async () => {
    let asked = 0;
    const counted = async () => {
      asked += 1;
      return { outcome: 'missing' as const };
    };
    const counting = Object.assign(new ScriptedDns(), { ns: counted, soa: counted, cname: counted });
    const name = `${'x.'.repeat(118)}example.co.uk` as DomainName;
    expect(await findZone(counting, name, counted())).toMatchObject({ name: 'example.co.uk' });
    expect(asked).toBe(21);
  });

  describe('has the provider', () => {
    test.each([
      ['cloudflare', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']],
      ['route53', ['ns-1.awsdns-00.com', 'ns-1024.awsdns-63.org', 'ns-1536.awsdns-0.co.uk', 'ns-512.awsdns-11.net']],
      ['godaddy', ['ns01.domaincontrol.com', 'ns02.domaincontrol.com']],
      ['ionos', ['ns1045.ui-dns.biz', 'ns1045.ui-dns.com', 'ns1045.ui-dns.de', 'ns1045.ui-dns.org']],
      ['ovh', ['dns10.ovh.net', 'ns10.ovh.net']],
      ['hetzner', ['helium.ns.hetzner.de', 'hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com']],
      ['namecheap', ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']],
      ['united_domains', ['ns.udag.de', 'ns.udag.net', 'ns.udag.org']],
    ])('%s of the name servers %j', async (provider, hosts) => {
      setZone('example.com', ...hosts);
      expect(await zoneOf('example.com')).toEqual({ name: 'example.com', nameServers: hosts, provider });
    });

    test.each([
      [['ada.ns.cloudflare.com.evil.example']],
      [['evilns.cloudflare.com', 'xns.hetzner.com']],
      [['ns.cloudflare.com']],
      [['vps12.ovh.net']],
      [['ns1.first-ns.de']],
      [['ada.ns.cloudflare.com', 'ns01.domaincontrol.com']],
      [['ada.ns.cloudflare.com', 'ns1.elsewhere.example']],
    ])('null of %j', async (hosts) => {
      setZone('example.com', ...hosts);
      expect(await zoneOf('example.com')).toMatchObject({ provider: null });
    });
  });

  test('shows no name server that is not a host name, and no more than 16', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>.example',
      'https://evil.example/',
      'click here.example',
      'ns\u202e.example',
      'ns\n.example',
      '-ns.example',
      `${'x'.repeat(64)}.example`,
      `${'x.'.repeat(130)}example`,
      'localhost',
      '',
    ];
    setZone('example.com', ...hostile, 'ns1.host.example');
    expect(await zoneOf('example.com')).toEqual({
      name: 'example.com',
      nameServers: ['ns1.host.example'],
      provider: null,
    });
    setZone('example.com', ...Array.from({ length: 50 }, (_, index) => `ns${index}.host.example`));
    expect((await zoneOf('example.com')).nameServers).toHaveLength(16);
  });
});
