import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  describe('dns-check', () => {
    let api: TestApi;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind, {
        MX_HOSTS: 'mx1.platform.test,mx2.platform.test',
        SPF_INCLUDE: 'spf.platform.test',
      });
      acme = await api.key('acme');
    });
    afterAll(() => api.close());

    const create = async (name: string) => {
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      await api.container.get(CheckVerification).execute(body.id);
      return { id: body.id as number };
    };
    const checkOf = async (name: string) => (await api.as(acme).get(`/domains/${name}/dns-check`).expect(200)).body;

    it('has all records to publish, those of relay-status too, as DNS providers ask for them', async () => {
      await create('shop.customer.example');
      api.dns.set('NS', 'customer.example', 'ada.ns.cloudflare.com', 'bob.ns.cloudflare.com');
      const { zone, checks } = await checkOf('shop.customer.example');
      expect(zone).toEqual({
        name: 'customer.example',
        name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
        provider: 'cloudflare',
      });
      const records = checks.flatMap((check: { records: object[] }) => check.records);
      const at = { name: 'shop.customer.example', relative_name: 'shop' };
      expect(records.slice(0, 3)).toEqual([
        { ...at, type: 'MX', priority: 10, value: 'mx1.platform.test' },
        { ...at, type: 'MX', priority: 20, value: 'mx2.platform.test' },
        { ...at, type: 'TXT', priority: null, value: 'v=spf1 include:spf.platform.test ~all' },
      ]);
      const { dns_records } = (await api.as(acme).get('/domains/shop.customer.example/relay-status').expect(200)).body;
      expect(dns_records).toHaveLength(4);
      for (const { type, name, value } of dns_records) {
        const relative_name = name.replace(/\.customer\.example$/, '');
        expect(records).toContainEqual({ type, name, relative_name, priority: null, value });
      }
    });

    it('has a code with the parameters of its sentence, and warns of a foreign MX beside ours', async () => {
      await create('two-hosts.example');
      api.dns.mxRecords.set('two-hosts.example', [
        { exchange: 'mx.old.example', priority: 15 },
        { exchange: 'mx1.platform.test', priority: 10 },
      ]);
      const { zone, checks } = await checkOf('two-hosts.example');
      expect(zone).toEqual({ name: 'two-hosts.example', name_servers: [], provider: null });
      const foreign =
        'Some mail may also be delivered to mx.old.example. Remove the MX records of these hosts if all mail is to arrive here.';
      const incomplete = 'Mail arrives here. Add mx2.platform.test so that mail still arrives when one host fails.';
      expect(checks[0]).toMatchObject({
        record: 'mx',
        status: 'ok',
        code: 'mx_incomplete',
        params: { hosts: 'mx2.platform.test' },
        warnings: [{ code: 'foreign_mx', params: { hosts: 'mx.old.example' }, detail: foreign }],
        detail: `${incomplete} ${foreign}`,
      });
      expect(checks[1]).toMatchObject({
        record: 'spf',
        status: 'missing',
        code: 'spf_missing',
        params: { name: 'two-hosts.example', value: 'v=spf1 include:spf.platform.test ~all' },
        warnings: [],
      });
    });

    it('warns of DKIM records that are right until the provider has found them, and changes no status by that', async () => {
      const name = 'slow-relay.example';
      const { id } = await create(name);
      const { dns_records } = (await api.as(acme).get(`/domains/${name}/relay-status`).expect(200)).body;
      for (const record of dns_records) api.dns.set(record.type, record.name, record.value);
      const dkim = async () => {
        const { checks } = await checkOf(name);
        return checks
          .filter(({ record }: { record: string }) => record === 'dkim')
          .map(({ status, warnings }: { status: string; warnings: { code: string }[] }) => [
            status,
            ...warnings.map(({ code }) => code),
          ]);
      };
      const unconfirmed = ['ok', 'dkim_unconfirmed'];
      expect(await dkim()).toEqual([unconfirmed, unconfirmed, unconfirmed]);
      api.relay.says(name, 'verified');
      await api.container.get(CheckVerification).execute(id);
      expect(await dkim()).toEqual([['ok'], ['ok'], ['ok']]);
    });

    it('says first that the own name of a domain is a CNAME, with the codes of what was found after it', async () => {
      await create('alias.example');
      api.dns.set('CNAME', 'alias.example', 'host.web.example');
      api.dns.mxRecords.set('alias.example', [{ exchange: 'mx.web.example', priority: 5 }]);
      const { checks } = await checkOf('alias.example');
      expect(checks[0]).toMatchObject({
        record: 'mx',
        status: 'mismatch',
        code: 'name_is_cname',
        params: { name: 'alias.example', target: 'host.web.example' },
        warnings: [{ code: 'mx_elsewhere' }],
      });
      expect(checks[1]).toMatchObject({ record: 'spf', status: 'missing', code: 'name_is_cname' });
    });

    it('reads a name with the address of our host as ours, as an MX and as the domain itself without any MX', async () => {
      await create('own-name.example');
      await create('no-mx.example');
      api.dns.set('A', 'mx2.platform.test', '192.0.2.26', '2001:db8::26');
      api.dns.set('A', 'mail.own-name.example', '192.0.2.26').set('A', 'no-mx.example', '2001:db8::26');
      api.dns.mxRecords.set('own-name.example', [{ exchange: 'mail.own-name.example', priority: 10 }]);
      expect((await checkOf('own-name.example')).checks[0]).toMatchObject({
        record: 'mx',
        status: 'ok',
        found: ['mail.own-name.example'],
        code: 'mx_own_name',
        params: { host: 'mail.own-name.example' },
        warnings: [],
      });
      expect((await checkOf('no-mx.example')).checks[0]).toMatchObject({
        record: 'mx',
        status: 'ok',
        found: [],
        code: 'mx_implicit',
        params: { name: 'no-mx.example', hosts: 'mx1.platform.test, mx2.platform.test' },
      });
    });
  });
});
