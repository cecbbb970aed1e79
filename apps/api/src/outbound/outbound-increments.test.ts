import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const OUTSIDE = 'x@out.example';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  describe('recipient addresses', () => {
    let acme: string;
    let made = 0;

    beforeAll(async () => {
      acme = await api.key('acme');
      await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
    });

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
        await api.database.write(
          'INSERT INTO alias (domain_id, address, destination, created_at) VALUES (?, ?, ?, 0)',
          [body.id, `list@${name}`, `r${index}@out.example`],
        );
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

  describe('the claimed senders of an increment', () => {
    let acme: string;
    let made = 0;

    beforeAll(async () => {
      acme = await api.key('claims');
    });

    /** Creates a domain with outbound and inbound mail, the mailboxes anna and bob, and the alias info of anna. */
    async function aDomain(): Promise<string> {
      made += 1;
      const name = `claims-${made}.example`;
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      for (const local of ['anna', 'bob']) {
        const mailbox = { email: `${local}@${name}`, password: 'correct horse' };
        await api.as(acme).post('/users/', mailbox).expect(201);
      }
      const alias = { address: `info@${name}`, destination: `anna@${name}` };
      await api.as(acme).post('/aliases/', alias).expect(201);
      return name;
    }

    const message = (domain: string, claims: string[], fields: object = {}) => ({
      domain,
      sender: `anna@${domain}`,
      recipients: [OUTSIDE],
      bytes: 10,
      claims: claims.map((claim) => claim.replace('#', domain)),
      ...fields,
    });
    const count = async (...items: object[]) =>
      (await api.as(POLICY).post('/outbound/increments', { items }).expect(200)).body;
    const state = async (name: string) => (await api.as(acme).get(`/domains/${name}/outbound`).expect(200)).body;
    const refused = (foreign_sender: string, sent_today: number) => {
      return { allowed: false, action: 'reject', reason: 'sender_not_allowed', foreign_sender, sent_today };
    };

    it('refuse the message, and nothing is counted, when the login may not use one of them', async () => {
      const name = await aDomain();
      const answers = await count(
        message(name, ['ANNA@#', 'info@#', 'anna+tag@#']),
        message(name, ['anna@#', 'bob@#']),
        message(name, ['bob@#'], { recipients: [`bob@${name}`] }),
        message(name, ['anna@#']),
        message(name, ['anna@#'], { sender: `bob@${name}` }),
        message(name, ['info@#'], { sender: `Anna@${name}` }),
      );
      expect(answers).toMatchObject([
        { allowed: true, sent_today: 1 },
        refused(`bob@${name}`, 1),
        refused(`bob@${name}`, 1),
        { allowed: true, sent_today: 2 },
        refused(`anna@${name}`, 2),
        { allowed: true, sent_today: 3 },
      ]);
      expect(await state(name)).toMatchObject({ sent_today: 3, bytes_this_month: 30 });
      const { body } = await api.as(acme).get(`/domains/${name}/outbound/senders`).expect(200);
      expect(body).toMatchObject([{ sender: `anna@${name}`, sent_today: 3 }]);
    });

    it('are decided by the state at the time of the request, also the login’s own address', async () => {
      const name = await aDomain();
      const own = () => count(message(name, ['anna@#']), message(name, ['info@#']));
      expect(await own()).toMatchObject([{ allowed: true }, { allowed: true }]);
      await api.as(acme).delete(`/aliases/info@${name}`).expect(204);
      expect(await own()).toMatchObject([{ allowed: true }, refused(`info@${name}`, 3)]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'pending' }).expect(200);
      expect(await own()).toMatchObject([refused(`anna@${name}`, 3), refused(`info@${name}`, 3)]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      await api.as(acme).delete(`/users/anna@${name}`).expect(204);
      expect(await own()).toMatchObject([refused(`anna@${name}`, 3), refused(`info@${name}`, 3)]);
      expect(await state(name)).toMatchObject({ sent_today: 3 });
    });

    it('come before every other reason, in monitor too', async () => {
      const name = await aDomain();
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_enforcement: 'monitor' }).expect(200);
      await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
      expect(await count(message(name, ['bob@#']), message(name, ['anna@#']))).toMatchObject([
        refused(`bob@${name}`, 0),
        { action: 'defer', reason: 'domain_suspended' },
      ]);
    });

    it('are part of what a repeat repeats: it gets the same verdict, and another sender under the same id is refused', async () => {
      const name = await aDomain();
      const first = message(name, ['info@#'], { id: 'q1' });
      const [answer] = await count(first);
      expect(answer).toMatchObject({ allowed: true, sent_today: 1 });
      await api.as(acme).delete(`/aliases/info@${name}`).expect(204);
      expect(await count(first)).toEqual([answer]);
      expect(await count(message(name, ['bob@#'], { id: 'q1' }))).toMatchObject([{ reason: 'increment_id_reused' }]);
      expect(await count(message(name, ['anna@#'], { id: 'q1' }))).toMatchObject([{ reason: 'increment_id_reused' }]);
      expect(await state(name)).toMatchObject({ sent_today: 1 });
    });

    it('do not use up the id of a refused message, which is counted when the login may use its sender', async () => {
      const name = await aDomain();
      const mail = message(name, ['sales@#'], { id: 'q1' });
      expect(await count(mail, mail)).toMatchObject([refused(`sales@${name}`, 0), refused(`sales@${name}`, 0)]);
      const alias = { address: `sales@${name}`, destination: `anna@${name}` };
      await api.as(acme).post('/aliases/', alias).expect(201);
      expect(await count(mail, mail)).toMatchObject([{ sent_today: 1 }, { sent_today: 1 }]);
    });

    it('do not change the id of a message that names only its login: a count without claims is its repeat', async () => {
      const name = await aDomain();
      const { claims, ...plain } = message(name, ['anna@#'], { id: 'q1' });
      expect(await count({ ...plain, claims }, plain, { ...plain, record: true })).toMatchObject([
        { sent_today: 1 },
        { sent_today: 1 },
        { sent_today: 1 },
      ]);
    });

    it('are not checked for mail that was already sent', async () => {
      const name = await aDomain();
      expect(await count(message(name, ['bob@#'], { record: true }))).toMatchObject([{ allowed: true, sent_today: 1 }]);
    });

    it('are checked by a single increment too', async () => {
      const name = await aDomain();
      const { domain, ...body } = message(name, ['bob@#']);
      const answer = await api.as(POLICY).post(`/domains/${domain}/outbound/increment`, body).expect(200);
      expect(answer.body).toMatchObject(refused(`bob@${name}`, 0));
    });

    it('may be a thousand, and of many messages at once', async () => {
      const name = await aDomain();
      const many = Array.from({ length: 999 }, (_, index) => `anna+${index}@#`);
      const answers = await count(...Array.from({ length: 6 }, () => message(name, [...many, 'info@#'])));
      expect(answers.at(-1)).toMatchObject({ allowed: true, sent_today: 6 });
      expect(await count(message(name, [...many, 'bob@#']))).toMatchObject([refused(`bob@${name}`, 6)]);
    });

    it.each([
      [{ claims: [] }],
      [{ claims: Array.from({ length: 1_001 }, () => 'anna@out.example') }],
      [{ claims: ['x'.repeat(255)] }],
      [{ claims: ['a\u0000@b.example'] }],
      [{ sender: '' }],
      [{ sender: undefined }],
      [{ sender: undefined, forwarded: true }],
    ])('are refused with %j', async (fields) => {
      const name = await aDomain();
      const items = [message(name, ['anna@#'], fields)];
      const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(422);
      expect(body.errors).toEqual([expect.objectContaining({ field: expect.stringMatching(/^items\[0\]\.claims/) })]);
    });
  });

  describe('the relay of a verdict', () => {
    beforeAll(async () => {
      const acme = api.as(await api.key('relayed'));
      for (const name of ['acme.example', 'unverified.example']) await acme.post('/domains/', { name }).expect(201);
      await api.database.write(
        "UPDATE verification SET status = 'verified' WHERE domain_id = (SELECT id FROM domain WHERE name = 'acme.example')",
        [],
        [],
      );
    });

    const relays = async () => {
      const items = ['acme.example', 'unverified.example', 'absent.example'].map((domain) => ({ domain }));
      const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(200);
      return (body as { relay?: object | null }[]).map(({ relay }) => relay);
    };
    const [named, none] = ['mailstead', null].map((configuration_set) => ({ configuration_set, tenant: null }));

    it('each verdict of many items names the configuration set of SES while the account has it and the identity does not', async () => {
      api.relay.configurationSet = 'mailstead';
      expect(await relays()).toEqual([none, none, undefined]);
      api.relay.report = { account: null, configurationSet: { name: 'mailstead', destinations: [] } };
      await api.container.get(CheckAccount).execute();
      expect(await relays()).toEqual([named, named, undefined]);
      await api.database.write("UPDATE verification SET configuration_set = 'mailstead'");
      expect(await relays()).toEqual([none, none, undefined]);
    });

    it('is null with a relay without configuration sets', async () => {
      api.relay.configurationSet = null;
      expect(await relays()).toEqual([null, null, undefined]);
    });
  });
});
