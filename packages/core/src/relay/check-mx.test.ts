import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkMx } from './check-mx.js';
import type { DnsAnswer } from './dns-resolver.js';

const NAME = 'example.com' as DomainName;
const HOSTS = ['mx1.mail.example', 'mx2.mail.example'];
const NO_ANSWER = 'The name server did not answer in time';

/** Counts the names whose addresses were looked up. */
class CountedDns extends ScriptedDns {
  readonly looked: string[] = [];

  override addresses(name: string): Promise<DnsAnswer<string>> {
    this.looked.push(name);
    return super.addresses(name);
  }
}

describe('the check of MX, when no record names a host of the platform', () => {
  let dns: CountedDns;

  beforeEach(() => {
    dns = new CountedDns();
    dns.set('A', 'mx1.mail.example', '192.0.2.25', '2001:db8::25').set('A', 'mx2.mail.example', '192.0.2.26');
  });

  function setMx(...exchanges: string[]): void {
    dns.mxRecords.set(
      NAME,
      exchanges.map((exchange, index) => ({ exchange, priority: index })),
    );
  }

  const check = (hosts = HOSTS) => checkMx(dns, NAME, hosts, []);
  const failure = (name: string) => ({
    status: 'error',
    code: 'lookup_failed',
    params: { name, reason: NO_ANSWER },
    detail: `${name} could not be looked up: ${NO_ANSWER}. Try again later.`,
  });

  test('looks up no address when a record names one of our hosts, at a null MX, and when no hosts are set', async () => {
    setMx('mx2.mail.example', 'old.example');
    expect(await check()).toMatchObject({ status: 'ok', code: 'mx_incomplete' });
    setMx('');
    expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_null' });
    setMx('mail.example.com');
    expect(await check([])).toMatchObject({ status: 'ok', code: 'mx_hosts_unset' });
    dns.mxRecords.clear();
    expect(await check([])).toMatchObject({ status: 'missing', code: 'mx_missing_hosts_unset' });
    dns.broken.add(`MX ${NAME}`);
    expect(await check()).toMatchObject(failure(NAME));
    expect(dns.looked).toEqual([]);
  });

  describe('and there is no MX record', () => {
    test.each([['192.0.2.26'], ['2001:db8::25']])(
      'is ok when the domain has the address %s of ours, among others',
      async (address) => {
        dns.set('A', NAME, '198.51.100.1', address);
        expect(await check()).toMatchObject({
          status: 'ok',
          required: true,
          expected: HOSTS,
          found: [],
          code: 'mx_implicit',
          params: { name: NAME, hosts: 'mx1.mail.example, mx2.mail.example' },
          warnings: [],
          detail:
            'example.com has no MX record, but mail arrives by the address of the domain (RFC 5321 section 5.1). Publish an MX record for mx1.mail.example and mx2.mail.example all the same.',
        });
      },
    );

    test('is missing when the domain has no address, or none of ours', async () => {
      expect(await check()).toMatchObject({ status: 'missing', code: 'mx_missing' });
      dns.set('A', NAME, '198.51.100.1');
      expect(await check()).toMatchObject({ status: 'missing', code: 'mx_missing' });
    });

    test('is an error, not missing, when the addresses of the domain cannot be looked up', async () => {
      dns.broken.add(`A ${NAME}`);
      expect(await check()).toMatchObject(failure(NAME));
    });

    test('is an error when one of our hosts cannot be looked up, unless the others or the domain decide', async () => {
      dns.set('A', NAME, '198.51.100.1').broken.add('A mx2.mail.example');
      expect(await check()).toMatchObject(failure('mx2.mail.example'));
      dns.set('A', NAME, '192.0.2.25');
      expect(await check()).toMatchObject({ status: 'ok', code: 'mx_implicit' });
      dns.records.delete(`A ${NAME}`);
      expect(await check()).toMatchObject({ status: 'missing', code: 'mx_missing' });
    });
  });

  describe('and the records name other hosts', () => {
    test('is ok when one of them has an address of ours', async () => {
      setMx('mail.example.com');
      dns.set('A', 'mail.example.com', '198.51.100.1', '192.0.2.26');
      expect(await check()).toMatchObject({
        status: 'ok',
        required: true,
        expected: HOSTS,
        found: ['mail.example.com'],
        code: 'mx_own_name',
        params: { host: 'mail.example.com' },
        warnings: [],
        detail:
          'The MX names mail.example.com, a name of your own that has the address of this service. Mail arrives here.',
      });
    });

    test('names the preferred one, and warns of the others unless they have an address of ours too', async () => {
      dns.mxRecords.set(NAME, [
        { exchange: 'old.example', priority: 30 },
        { exchange: 'b.example.com', priority: 20 },
        { exchange: 'a.example.com', priority: 10 },
        { exchange: 'dark.example', priority: 40 },
      ]);
      dns.set('A', 'a.example.com', '192.0.2.25').set('A', 'b.example.com', '192.0.2.26');
      dns.set('A', 'old.example', '198.51.100.1').broken.add('A dark.example');
      expect(await check()).toMatchObject({
        status: 'ok',
        code: 'mx_own_name',
        params: { host: 'a.example.com' },
        warnings: [{ code: 'foreign_mx', params: { hosts: 'old.example, dark.example' } }],
        detail: expect.stringContaining('Mail arrives here. Some mail may also be delivered to old.example, dark.ex'),
      });
    });

    test('is a mismatch when none has an address of ours, or no address at all', async () => {
      setMx('old.example', 'gone.example');
      dns.set('A', 'old.example', '198.51.100.1');
      const elsewhere = { status: 'mismatch', code: 'mx_elsewhere', found: ['old.example', 'gone.example'] };
      expect(await check()).toMatchObject(elsewhere);
      for (const host of HOSTS) dns.records.delete(`A ${host}`);
      expect(await check()).toMatchObject(elsewhere);
      setMx('mx1.mail.example.example.com');
      expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_host_doubled' });
    });

    test('does not read the address of the domain, which counts only without any MX record', async () => {
      setMx('old.example');
      dns.set('A', NAME, '192.0.2.25').set('A', 'old.example', '198.51.100.1');
      expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere' });
    });

    test('is an error when the address of one cannot be looked up that may be ours, and shows the records', async () => {
      setMx('dark.example', 'old.example');
      dns.set('A', 'old.example', '198.51.100.1').broken.add('A dark.example');
      expect(await check()).toMatchObject({ ...failure('dark.example'), found: ['dark.example', 'old.example'] });
    });

    test('is a mismatch when the one that cannot be looked up is behind another one', async () => {
      setMx('old.example', 'dark.example');
      dns.set('A', 'old.example', '198.51.100.1').broken.add('A dark.example');
      expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere' });
    });

    test('is an error when one of our hosts cannot be looked up, unless another one decides', async () => {
      setMx('old.example');
      dns.set('A', 'old.example', '192.0.2.26').broken.add('A mx1.mail.example');
      expect(await check()).toMatchObject({ status: 'ok', code: 'mx_own_name' });
      dns.broken.add('A mx2.mail.example');
      expect(await check()).toMatchObject(failure('mx1.mail.example'));
      dns.set('A', 'old.example', '198.51.100.1').broken.delete('A mx2.mail.example');
      expect(await check()).toMatchObject(failure('mx1.mail.example'));
    });

    test('looks up the ten preferred ones and our hosts, each once', async () => {
      const exchanges = Array.from({ length: 12 }, (_, index) => `mail${index}.example.com`);
      dns.mxRecords.set(
        NAME,
        [...exchanges, 'mail0.example.com'].map((exchange) => ({ exchange, priority: 10 })),
      );
      for (const name of exchanges.slice(0, 9)) dns.set('A', name, '192.0.2.26');
      dns.set('A', 'mail9.example.com', '192.0.2.25');
      expect(await check()).toMatchObject({
        status: 'mismatch',
        code: 'mx_behind',
        params: { found: 'mail10.example.com, mail11.example.com' },
      });
      expect(dns.looked.toSorted()).toEqual([...exchanges.slice(0, 10), ...HOSTS].toSorted());
      dns.records.clear();
      dns.set('A', 'mx1.mail.example', '192.0.2.25').set('A', 'mail10.example.com', '192.0.2.25');
      expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere' });
    });

    test('looks up no name that no host can have, so that a slip is a mismatch and not an error for ever', async () => {
      setMx('http://mail.example.com', 'mx host.example', 'm\\195\\188.example');
      for (const { exchange } of dns.mxRecords.get(NAME) ?? []) dns.broken.add(`A ${exchange}`);
      expect(await check()).toMatchObject({ status: 'mismatch', code: 'mx_elsewhere' });
      expect(dns.looked).toEqual([]);
    });

    test('looks up all addresses at once', async () => {
      setMx('old.example', 'older.example');
      dns.addresses = (name) => {
        dns.looked.push(name);
        return new Promise(() => {});
      };
      void check();
      await new Promise((resolve) => setImmediate(resolve));
      expect(dns.looked).toEqual(['old.example', 'older.example', ...HOSTS]);
    });
  });
});
