import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** On both databases, because only MariaDB has mail servers that say whether they forward. */
onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
  });
  afterAll(() => api.close());
  beforeEach(() => setForwarding('on'));

  /** Stores the value that `grants.sql` of the mail stack writes. @param value null: `grants.sql` was never run. */
  async function setForwarding(value: string | null): Promise<void> {
    await api.database.write("DELETE FROM installation WHERE name = 'forwarding'");
    if (value === null) return;
    await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', ?)", [value]);
  }
  const domain = (token: string, name: string) => api.as(token).post('/domains/', { name }).expect(201);
  const mailbox = (token: string, email: string) =>
    api.as(token).post('/users/', { email, password_hash: HASH }).expect(201);
  const open = (name: string) => api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
  const alias = (token: string, address: string, destination: string) =>
    api.as(token).post('/aliases/', { address, destination });

  it('keeps the case of the local part of an outside destination, and ignores the case of a mailbox of the partner', async () => {
    const token = await api.key('cases');
    await domain(token, 'cases.example');
    await mailbox(token, 'ann@cases.example');
    const to = async (destination: string) => (await alias(token, 'a@cases.example', destination)).body;
    expect(await to('Some.One!#$%+/?^`{|}*@Elsewhere.TEST')).toMatchObject({
      destination: 'Some.One!#$%+/?^`{|}*@elsewhere.test',
    });
    expect(await to('ANN@Cases.example')).toMatchObject({ destination: 'ann@cases.example' });
    expect(await to('some.one!#$%+/?^`{|}*@elsewhere.test')).toMatchObject({ code: 'alias_exists' });
    for (const destination of ['Ann@cases.example', 'Some.One!#$%+/?^`{|}*@elsewhere.test']) {
      const path = `/aliases/?destination=${encodeURIComponent(destination)}`;
      expect((await api.as(token).get(path).expect(200)).body).toHaveLength(1);
    }
  });

  it('accepts an outside destination only if the operator allows it and the mail servers forward', async () => {
    const token = await api.key('outside');
    await domain(token, 'outside.example');
    for (const value of kind === 'mariadb' ? [null, 'off'] : []) {
      await setForwarding(value);
      const refused = await alias(token, 'out@outside.example', 'someone@elsewhere.example').expect(422);
      expect(refused.body.errors).toEqual([
        { field: 'destination', message: expect.stringContaining('not set up on the mail servers') },
      ]);
    }
    await setForwarding(kind === 'mariadb' ? 'on' : null);
    const { body } = await alias(token, 'out@outside.example', 'Some.One+x@Elsewhere.example').expect(201);
    expect(body.destination).toBe('Some.One+x@elsewhere.example');
    await alias(token, 'out2@outside.example', 'nobody@outside.example').expect(404);
    // People have addresses at some public suffixes. A name that cannot be one is refused as before.
    const { body: office } = await alias(token, 'office@outside.example', 'x@gov.in').expect(201);
    expect(office.destination).toBe('x@gov.in');
    for (const destination of ['x@in', 'x@192.0.2.1', 'x@-a.in', 'gov.in'])
      await alias(token, 'office@outside.example', destination).expect(422);
  });

  it('accepts an alias to a domain of another partner only until that domain is open for inbound mail', async () => {
    const [token, other] = [await api.key('small'), await api.key('large')];
    await domain(token, 'small.example');
    await domain(other, 'large.example');
    await alias(token, 'a@small.example', 'friend@large.example').expect(201);
    await open('large.example');
    const refused = await alias(token, 'b@small.example', 'friend@large.example').expect(404);
    expect(refused.body.code).toBe('mailbox_not_found');
  });

  it('recipient addresses of aliases count only while the mail servers forward', async () => {
    const token = await api.key('counted');
    const name = 'counted.example';
    await domain(token, name);
    await open(name);
    for (const local of ['r0', 'r1']) await alias(token, `list@${name}`, `${local}@out.example`).expect(201);
    const items = [{ domain: name, recipient: `list@${name}` }];
    const counts = async () =>
      (await api.as(POLICY).post('/outbound/looks', { items }).expect(200)).body[0].counts_as as number;
    await setForwarding('off');
    // Mail servers do not read the embedded database, so they never forward.
    expect(await counts()).toBe(kind === 'mariadb' ? 0 : 2);
    await setForwarding('on');
    expect(await counts()).toBe(2);
  });

  if (kind === 'mariadb') {
    it('PUT /aliases/{id} is followed by the view that Postfix reads', async () => {
      const token = await api.key('viewed');
      for (const name of ['box.example', 'second.example']) {
        await domain(token, name);
        await open(name);
      }
      for (const email of ['ann@box.example', 'cyd@second.example']) await mailbox(token, email);
      const { id } = (await alias(token, 'view@box.example', 'ann@box.example').expect(201)).body;
      const change = (destination: string) => api.as(token).put(`/aliases/${id}`, { destination }).expect(200);
      const delivered = () =>
        api.database.read("SELECT destination FROM mta_aliases WHERE address = 'view@box.example'");
      expect(await delivered()).toEqual([{ destination: 'ann@box.example' }]);
      await change('cyd@second.example');
      expect(await delivered()).toEqual([{ destination: 'cyd@second.example' }]);
      await change('some.one@out.test');
      expect(await delivered()).toEqual([{ destination: 'some.one@out.test' }]);
    });
  }
});
