import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

describe.each(DATABASE_KINDS)('recipient addresses on %s', (kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
  });
  afterAll(() => api.close());

  /**
   * Creates a domain of acme with outbound and inbound mail, and an alias `list@` with this number of outside
   * destinations.
   */
  async function aDomain(destinations = 0): Promise<string> {
    made += 1;
    const name = `listed-${made}.example`;
    const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
    await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
    for (let index = 0; index < destinations; index += 1) {
      await api.database.write('INSERT INTO alias (domain_id, address, destination, created_at) VALUES (?, ?, ?, 0)', [
        body.id,
        `list@${name}`,
        `r${index}@out.example`,
      ]);
    }
    return name;
  }
  const items = async (path: string, ...list: object[]) =>
    (await api.as(POLICY).post(path, { items: list }).expect(200)).body;

  it('in looks return what each counts as, and the headroom', async () => {
    const domain = await aDomain(50);
    await api.as(acme).put(`/domains/${domain}/outbound`, { daily_limit: 1 }).expect(200);
    const answers = await items(
      '/outbound/looks',
      { domain, recipient: 'x@out.example' },
      { domain, recipient: `LIST+news@${domain}` },
      { domain, recipient: `nobody@${domain}` },
      { domain, recipient_domain: domain },
      { domain },
      { domain, recipient: `list@${domain}`, forwarded: true },
    );
    expect(answers).toMatchObject([
      { allowed: true, stays_here: false, counts_as: 1, headroom: 1 },
      { allowed: true, stays_here: false, counts_as: 50, headroom: 1 },
      { allowed: true, stays_here: true, counts_as: 0, headroom: 1 },
      { stays_here: true, counts_as: 0 },
      { stays_here: false, counts_as: 1 },
      { allowed: true, counts_as: 50, headroom: 1, forwarded_today: 0 },
    ]);
  });

  it('count as their outside recipients on the bulk path and the single path; forwarded mail is counted separately', async () => {
    const domain = await aDomain(3);
    const recipients = ['x@out.example', `list@${domain}`, `nobody@${domain}`];
    const own = { domain, recipients, bytes: 10, sender: `me@${domain}`, id: 'q1' };
    const forwarded = { domain, recipients: [`list@${domain}`], bytes: 10, id: 'q1', forwarded: true };
    expect(
      await items('/outbound/increments', own, own, { ...own, recipients: ['x@out.example'] }, forwarded),
    ).toMatchObject([
      { allowed: true, count: 4, sent_today: 4 },
      { allowed: true, count: 4, sent_today: 4 },
      { allowed: false, reason: 'increment_id_reused' },
      { allowed: true, count: 3, sent_today: 4, forwarded_today: 3 },
    ]);
    const path = `/domains/${domain}/outbound/increment`;
    const single = await api
      .as(POLICY)
      .post(path, { recipients: ['y@out.example'] })
      .expect(200);
    expect(single.body).toMatchObject({ count: 1, sent_today: 5 });
    const { body } = await api.as(acme).get(`/domains/${domain}/outbound`).expect(200);
    expect(body).toMatchObject({ sent_today: 5, sent_this_month: 5, forwarded_today: 3, bytes_this_month: 40 });
    await api.as(MASTER).post('/outbound/reset-daily').expect(200);
    const reset = await api.as(acme).get(`/domains/${domain}/outbound`).expect(200);
    expect(reset.body).toMatchObject({ sent_today: 0, forwarded_today: 0, sent_this_month: 5 });
  });

  it('of aliases count only while the mail servers forward', async () => {
    const domain = await aDomain(2);
    const counts = async () => (await items('/outbound/looks', { domain, recipient: `list@${domain}` }))[0].counts_as;
    await api.database.write("UPDATE installation SET value = 'off' WHERE name = 'forwarding'");
    // Mail servers do not read the embedded database, so they never forward.
    expect(await counts()).toBe(kind === 'mariadb' ? 0 : 2);
    await api.database.write("UPDATE installation SET value = 'on' WHERE name = 'forwarding'");
    expect(await counts()).toBe(2);
  });

  it.each([
    ['increments', { recipients: [] }, 'items[0].recipients'],
    ['increments', { recipients: Array.from({ length: 1_001 }, () => 'x@y.example') }, 'items[0].recipients'],
    ['increments', { recipients: ['x'.repeat(255)] }, 'items[0].recipients'],
    ['increments', { recipients: ['a\u0000@b.example'] }, 'items[0].recipients'],
    ['increments', { recipients: 'x@y.example' }, 'items[0].recipients'],
    ['increments', { forwarded: true, sender: 'me@here.example' }, 'items[0].sender'],
    ['looks', { forwarded: true, sender: 'me@here.example' }, 'items[0].sender'],
    ['looks', { recipient: 'x@y.example', recipient_domain: 'y.example' }, 'items[0].recipient_domain'],
  ])('are refused in %s with %j', async (path, fields, field) => {
    const domain = await aDomain();
    const { body } = await api
      .as(POLICY)
      .post(`/outbound/${path}`, { items: [{ domain, ...fields }] })
      .expect(422);
    expect(body.errors).toEqual([expect.objectContaining({ field })]);
  });

  it('keep the counter of forwarded mail when the same partner creates the domain again', async () => {
    const domain = await aDomain();
    await items('/outbound/increments', { domain, recipients: ['x@out.example'], forwarded: true });
    await api.as(acme).delete(`/domains/${domain}`).expect(204);
    await api.as(acme).post('/domains/', { name: domain }).expect(201);
    const { body } = await api.as(acme).get(`/domains/${domain}/outbound`).expect(200);
    expect(body).toMatchObject({ forwarded_today: 1, sent_today: 0 });
  });
});
