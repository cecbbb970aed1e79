import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkMx } from './check-mx.js';

const NAME = 'example.com' as DomainName;
const HOSTS = ['mx1.mail.example', 'mx2.mail.example'];
const NO_ANSWER = 'The name server did not answer in time';

/** `10 mx1` is one of our hosts, `10 own` a name of the customer with our address; every other host is a stranger. */
const FULL: Record<string, string> = {
  mx1: 'mx1.mail.example',
  mx2: 'mx2.mail.example',
  own: 'mail.example.com',
  google: 'aspmx.l.google.com',
  google2: 'alt1.aspmx.l.google.com',
  microsoft: 'example-com.mail.protection.outlook.com',
  a: 'a.filter.example',
  b: 'b.filter.example',
  dark: 'dark.example',
};
const full = (host: string) => FULL[host] ?? host;

describe('where mail arrives first', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('A', 'mx1.mail.example', '192.0.2.25').set('A', 'mx2.mail.example', '192.0.2.26');
    dns.set('A', 'mail.example.com', '192.0.2.25').set('A', 'a.filter.example', '198.51.100.1');
    dns.set('A', 'b.filter.example', '198.51.100.2').broken.add('A dark.example');
  });

  function check(published: string, said: string): ReturnType<typeof checkMx> {
    const records = published.split(', ').map((record) => {
      const [priority, host = ''] = record.split(' ');
      return { priority: Number(priority), exchange: full(host) };
    });
    dns.mxRecords.set(NAME, records);
    return checkMx(dns, NAME, HOSTS, said === '' ? [] : said.split(', ').map(full));
  }

  test.each([
    // The hosts of somebody else behind ours are a warning.
    ['10 mx1, 20 mx2', '', 'ok mx_ok'],
    ['10 mx1, 20 mx2, 30 a', '', 'ok mx_arrives, foreign_mx a.filter.example'],
    ['10 mx1, 30 google', '', 'ok mx_incomplete, foreign_mx aspmx.l.google.com'],
    ['10 own, 20 a', '', 'ok mx_own_name, foreign_mx a.filter.example'],
    // Before ours, or by turns with them, mail arrives at them first.
    ['10 a, 20 mx1, 20 mx2', '', 'mismatch mx_behind a.filter.example'],
    ['10 mx1, 10 a', '', 'mismatch mx_behind a.filter.example'],
    ['10 a, 10 mx1, 20 b', '', 'mismatch mx_behind a.filter.example'],
    ['5 a, 10 own, 20 b', '', 'mismatch mx_behind a.filter.example'],
    ['10 a, 20 b', '', 'mismatch mx_elsewhere a.filter.example, b.filter.example'],
    // A name of the customer's own is ours, before our names too.
    ['10 own, 20 mx1', '', 'ok mx_incomplete'],
    ['5 own, 10 a, 20 mx1', '', 'ok mx_incomplete, foreign_mx a.filter.example'],
    // Mailbox providers, also beside others.
    ['10 google, 20 mx1', '', 'mismatch mx_mailboxes aspmx.l.google.com'],
    ['0 microsoft', '', 'mismatch mx_mailboxes example-com.mail.protection.outlook.com'],
    ['1 google, 5 google2', '', 'mismatch mx_mailboxes aspmx.l.google.com, alt1.aspmx.l.google.com'],
    ['5 a, 10 google, 20 mx1', '', 'mismatch mx_mailboxes aspmx.l.google.com'],
    ['10 microsoft, 10 google', '', `mismatch mx_mailboxes ${full('microsoft')}, aspmx.l.google.com`],
    ['5 own, 10 google', '', 'ok mx_own_name, foreign_mx aspmx.l.google.com'],
    // What the holder said, of all of them.
    ['10 a', 'a', 'ok mx_in_front a.filter.example'],
    ['10 a, 20 b', 'a, b', 'ok mx_in_front a.filter.example, b.filter.example'],
    ['10 a, 20 mx1', 'a, b', 'ok mx_in_front a.filter.example'],
    ['10 a, 20 mx1, 30 b', 'a, b', 'ok mx_in_front a.filter.example'],
    ['10 a, 20 mx1, 30 b', 'a', 'ok mx_in_front a.filter.example, foreign_mx b.filter.example'],
    ['10 google, 20 mx1', 'google', 'ok mx_in_front aspmx.l.google.com'],
    ['5 a, 10 own', 'a', 'ok mx_in_front a.filter.example'],
    ['10 mx1, 20 mx2', 'a', 'ok mx_ok'],
    // Another host begins anew, and all are asked for.
    ['10 a, 20 b', 'a', 'mismatch mx_elsewhere a.filter.example, b.filter.example'],
    ['10 a, 10 b, 20 mx1', 'a', 'mismatch mx_behind a.filter.example, b.filter.example'],
    ['10 a, 10 google, 20 mx1', 'a', 'mismatch mx_mailboxes aspmx.l.google.com'],
    ['10 a, 10 google, 20 mx1', 'google', 'mismatch mx_behind a.filter.example, aspmx.l.google.com'],
  ])('of %s, with %j said, is %s', async (published, said, wanted) => {
    const { status, code, params, warnings, found } = await check(published, said);
    const hosts = params.found === undefined ? '' : ` ${params.found}`;
    const told = warnings.map((warning) => `, ${warning.code} ${warning.params.hosts}`).join('');
    const shown = code.startsWith('mx_incomplete') ? `${status} ${code}${told}` : `${status} ${code}${hosts}${told}`;
    expect(shown).toBe(wanted);
    expect(found).toHaveLength(published.split(', ').length);
  });

  test.each([
    ['10 a, 20 mx1', ['a.filter.example']],
    ['10 a, 10 google, 20 mx1, 30 b', ['a.filter.example', 'aspmx.l.google.com']],
    ['10 a, 20 b, 30 a', ['a.filter.example', 'b.filter.example']],
    ['10 mx1, 20 a', []],
    // They cannot be said: no name of a host, one that is written otherwise in the DNS, and one label.
    ['10 http://a.filter.example, 20 mx1', []],
    ['10 bücher.example, 20 mx1', []],
    ['10 a, 10 localhost', []],
    ['10 mx1.mail.example.example.com', []],
    [Array.from({ length: 21 }, (_, index) => `${index} h${index}.example`).join(', '), []],
  ])('of %s, asks for a statement of %j', async (published, first) => {
    expect((await check(published, '')).first ?? []).toEqual(first);
  });

  test('names the provider, and which records lead here', async () => {
    expect(await check('10 microsoft, 10 google', '')).toMatchObject({
      params: { name: NAME, provider: 'Microsoft, Google', hosts: 'mx1.mail.example, mx2.mail.example' },
      detail: expect.stringContaining(
        'in mailboxes of Microsoft, Google. Publish an MX record for mx1.mail.example and',
      ),
    });
  });

  test('is an error when a look-up failed that decides whether they come first, or how bad it is', async () => {
    const failure = { status: 'error', code: 'lookup_failed', params: { name: 'dark.example', reason: NO_ANSWER } };
    for (const published of ['10 dark, 20 mx1', '10 dark', '5 dark, 10 a', '5 dark, 10 google', '10 mx1, 10 dark'])
      expect([published, await check(published, '')]).toEqual([published, expect.objectContaining(failure)]);
    // A name without an address is not one of ours, for certain.
    for (const published of ['5 a, 10 dark', '5 google, 10 dark', '10 a, 10 dark, 20 mx1', '5 gone.example, 10 dark'])
      expect([published, (await check(published, '')).status]).toEqual([published, 'mismatch']);
    expect(await check('10 dark, 20 mx1', 'dark')).toMatchObject({ status: 'ok', code: 'mx_in_front' });
    dns.broken.add('A mx2.mail.example');
    expect(await check('10 a, 20 mx1', '')).toMatchObject({ status: 'error', params: { name: 'mx2.mail.example' } });
    expect(await check('10 own, 20 mx1', '')).toMatchObject({ status: 'ok' });
  });

  test('looks up no address of a mailbox provider, nor any where the names and what was said decide', async () => {
    const addresses = dns.addresses.bind(dns);
    const looked: string[] = [];
    dns.addresses = (name) => {
      looked.push(name);
      return addresses(name);
    };
    for (const [published = '', said = ''] of [
      ['10 google, 20 mx1'],
      ['1 microsoft'],
      ['10 mx1, 20 a'],
      ['10 a, 20 b', 'a, b'],
      ['10 a, 20 mx1, 30 b', 'a'],
    ])
      await check(published, said);
    expect(looked).toEqual([]);
    await check('10 google, 10 a, 20 mx1, 30 b', '');
    expect(looked).toEqual(['a.filter.example', ...HOSTS]);
  });
});
