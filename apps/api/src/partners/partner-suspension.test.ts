import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { verifyDomain } from '../testing/verify-domain.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

const REVISION = { revision: expect.any(Number) };

onHttpDatabase((kind) => {
  let api: TestApi;
  let token: string;
  let ref: string;
  let name: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    made += 1;
    ref = `partner-${made}`;
    name = `home-${made}.example`;
    token = await api.key(ref);
    await verifyDomain(api, token, name);
  });

  const suspend = (body?: object, as = MASTER) => api.as(as).put(`/partners/${ref}/suspend`, body);
  const activate = (body?: object, as = MASTER) => api.as(as).put(`/partners/${ref}/activate`, body);
  const details = async (as = MASTER) => (await api.as(as).get(`/domains/${name}`).expect(200)).body;
  const active = () => ({ partner_ref: ref, status: 'active', stage: null, suspension_causes: [], ...REVISION });
  const suspended = (stage: string, ...causes: [cause: string, stage: string][]) => ({
    partner_ref: ref,
    status: 'suspended',
    stage,
    suspension_causes: causes.map(([cause, of]) => ({ cause, stage: of, message: null })),
    ...REVISION,
  });
  const audit = async () => {
    const { body } = await api.as(MASTER).get(`/audit?partner_ref=${ref}`).expect(200);
    return body.filter(({ action }: { action: string }) => action.startsWith('partner.'));
  };

  describe('the suspension of a partner', () => {
    it('is `operator` and `all` without a body, and activate without a cause lifts all', async () => {
      expect((await suspend().expect(200)).body).toEqual(suspended('all', ['operator', 'all']));
      await suspend({ cause: 'abuse', stage: 'changes' }).expect(200);
      expect((await activate().expect(200)).body).toEqual(active());
    });

    it('has the widest stage of its causes; lifting one leaves the others; a cause that is set again changes its stage', async () => {
      await suspend({ stage: 'changes' }).expect(200);
      const both = await suspend({ cause: 'abuse', stage: 'all' }).expect(200);
      expect(both.body).toEqual(suspended('all', ['operator', 'changes'], ['abuse', 'all']));
      const lifted = await activate({ cause: 'abuse' }).expect(200);
      expect(lifted.body).toEqual(suspended('changes', ['operator', 'changes']));
      expect((await suspend({ stage: 'all' }).expect(200)).body).toEqual(suspended('all', ['operator', 'all']));
      expect((await activate({ cause: 'operator' }).expect(200)).body).toEqual(active());
    });

    it('billing sets and lifts only its own cause', async () => {
      await suspend({ cause: 'abuse', stage: 'changes' }).expect(200);
      const set = await suspend({}, BILLING).expect(200);
      expect(set.body).toEqual(suspended('all', ['billing', 'all'], ['abuse', 'changes']));
      const own = await activate({ cause: 'billing' }, BILLING).expect(200);
      expect(own.body).toEqual(suspended('changes', ['abuse', 'changes']));
      await suspend({ cause: 'billing', stage: 'changes' }, BILLING).expect(200);
      expect((await activate(undefined, BILLING).expect(200)).body).toEqual(suspended('changes', ['abuse', 'changes']));
      for (const change of [suspend, activate]) {
        expect((await change({ cause: 'abuse' }, BILLING).expect(403)).body.code).toBe('scope_not_allowed');
        expect((await change({}, READ).expect(403)).body.code).toBe('scope_not_allowed');
        expect((await change({}, token).expect(403)).body.code).toBe('master_token_required');
      }
    });

    it('is idempotent, and has an audit row for each change, with the stage before and after', async () => {
      for (const stage of ['changes', 'changes', 'all'] as const) await suspend({ stage }).expect(200);
      for (const _ of ['first', 'repeat']) await activate().expect(200);
      const causes = (stage: string) => [{ cause: 'operator', stage }];
      const none = { stage: null, suspension_causes: [] };
      const changes = { stage: 'changes', suspension_causes: causes('changes') };
      const all = { stage: 'all', suspension_causes: causes('all') };
      expect(await audit()).toEqual([
        expect.objectContaining({
          action: 'partner.suspend',
          subject: ref,
          before: none,
          after: changes,
        }),
        expect.objectContaining({ action: 'partner.suspend', before: changes, after: all }),
        expect.objectContaining({ action: 'partner.activate', before: all, after: none, partner_ref: ref }),
      ]);
    });

    it('a partner that does not exist, or a text that cannot be one, is 404; a wrong cause or stage is 422', async () => {
      for (const absent of ['nobody', 'no%20body', 'x'.repeat(129)]) {
        for (const verb of ['suspend', 'activate']) {
          const { body } = await api.as(MASTER).put(`/partners/${absent}/${verb}`).expect(404);
          expect(body.code).toBe('partner_not_found');
        }
      }
      for (const body of [{ cause: 'partner' }, { cause: null }, { stage: 'some' }, { stage: null }]) {
        await suspend(body).expect(422);
      }
      await activate({ stage: 'all' }).expect(422);
    });

    it('is shown by the partners, also while the partner has no domain and no key left', async () => {
      await suspend({ stage: 'changes' }).expect(200);
      const state = suspended('changes', ['operator', 'changes']);
      expect((await api.as(MASTER).get(`/partners/${ref}`).expect(200)).body).toMatchObject({ ...state, keys: 1 });
      await api.as(MASTER).delete(`/domains/${name}`).expect(204);
      await api.as(MASTER).delete(`/api-keys/${token}`).expect(204);
      const { body: listed } = await api.as(MASTER).get('/partners/').expect(200);
      expect(listed).toContainEqual(
        expect.objectContaining({ ...state, domains_used: 0, mailboxes: 0, aliases: 0, keys: 0 }),
      );
      expect((await activate().expect(200)).body).toEqual(active());
      await api.as(MASTER).get(`/partners/${ref}`).expect(404);
    });
  });

  describe.each(['changes', 'all'])('in the stage `%s`', (stage) => {
    beforeEach(async () => {
      await api
        .as(token)
        .post('/users/', { email: `box@${name}`, password_hash: HASH })
        .expect(201);
      await suspend({ stage }).expect(200);
    });

    it('the keys of the partner keep reading, and every change is refused until it is lifted', async () => {
      for (const path of ['/domains/', `/domains/${name}`, '/users/', `/users/box@${name}`, '/aliases/', '/me']) {
        await api.as(token).get(path).expect(200);
      }
      const changes = [
        api.as(token).post('/domains/', { name: `more-${name}` }),
        api.as(token).put(`/domains/${name}/suspend`),
        api.as(token).delete(`/domains/${name}`),
        api.as(token).put(`/users/box@${name}`, { active: false }),
        api.as(token).post('/aliases/', { address: `a@${name}`, destination: `box@${name}` }),
        // Refused before its body and its resource are looked at.
        api.as(token).put('/users/nobody@elsewhere.example', { active: 'no' }),
      ];
      for (const change of changes) {
        const { body } = await change.expect(403);
        expect([body.code, body.detail]).toEqual(['partner_suspended', 'Partner is suspended']);
      }
      await activate().expect(200);
      await api.as(token).put(`/users/box@${name}`, { active: false }).expect(200);
    });

    it('sessions are opened, read and ended, and change nothing', async () => {
      const browser = new Browser(api.url);
      const { status, body: session } = await browser.enter(token);
      expect([status, session.caller.partner_stage]).toEqual([201, stage]);
      await browser.send('get', `/domains/${name}`).expect(200);
      const refused = await browser.send('put', `/domains/${name}/suspend`).expect(403);
      expect(refused.body.code).toBe('partner_suspended');
      await activate().expect(200);
      await browser.send('put', `/domains/${name}/suspend`).expect(200);
      await suspend({ stage }).expect(200);
      await browser.send('delete', '/sessions/current').expect(204);
    });

    it('keys of its own are neither made nor changed, and a key that a key made is refused too', async () => {
      await activate().expect(200);
      const { body: made } = await api.as(token).post('/me/keys', { name: 'below' }).expect(201);
      await suspend({ stage }).expect(200);
      await api.as(made.token).get('/domains/').expect(200);
      for (const change of [
        api.as(made.token).post('/domains/', { name: `more-${name}` }),
        api.as(token).post('/me/keys', { name: 'another' }),
        api.as(token).delete(`/me/keys/${made.id}`),
      ]) {
        expect((await change.expect(403)).body.code).toBe('partner_suspended');
      }
    });

    it("operators may still change the partner's domains, and other partners are not affected", async () => {
      await api.as(MASTER).put(`/domains/${name}/retention`, { retention_days: 7 }).expect(200);
      const rival = await api.key('rival');
      await api
        .as(rival)
        .post('/domains/', { name: `rival-${name}` })
        .expect(201);
    });

    it("the domain's own record is as before, and has the stage and the reason beside it", async () => {
      const { partner_stage: shown, attention, state, ...own } = await details(token);
      expect([shown, attention, own.status, own.suspension_causes]).toEqual([
        stage,
        ['partner_suspended'],
        'active',
        [],
      ]);
      const receives = stage === 'all' ? 'off' : 'yes';
      expect(state).toEqual({ sends: 'off', receives, reason: 'domain_suspended', until: null });
      await activate().expect(200);
      const active = { sends: 'yes', receives: 'yes', reason: null, until: null };
      expect(await details(token)).toEqual({ ...own, partner_stage: null, attention: [], state: active });
    });

    it('every message of the partner is deferred as `domain_suspended`, outside and inside', async () => {
      await activate().expect(200);
      const answerTo = async (path: string, item: object) =>
        JSON.stringify(
          (
            await api
              .as(POLICY)
              .post(path, { items: [{ domain: name, ...item }] })
              .expect(200)
          ).body,
        );
      const increment = (item: object) => answerTo('/outbound/increments', { count: 1, ...item });
      const preview = (recipient: string) => answerTo('/outbound/looks', { recipient });
      const open = [await increment({}), await preview('a@elsewhere.example'), await preview(`box@${name}`)];
      for (const answer of open) expect(answer).toContain('"action":"accept","reason":null');
      await suspend({ stage }).expect(200);
      const stopped = [
        await increment({}),
        await increment({ recipients: [`box@${name}`] }),
        await increment({ forwarded: true }),
        await preview('a@elsewhere.example'),
        await preview(`box@${name}`),
      ];
      for (const answer of stopped) {
        expect(answer).toContain('"action":"defer","reason":"domain_suspended"');
      }
    });

    it('a domain that is moved to the partner gets the stage, and one that is moved away loses it', async () => {
      const moved = `moved-${name}`;
      await api.as(MASTER).post('/domains/', { name: moved, partner_ref: 'somebody' }).expect(201);
      const move = async (to: string) =>
        (await api.as(MASTER).put(`/domains/${moved}/partner`, { partner_ref: to }).expect(200)).body;
      expect(await move(ref)).toMatchObject({ partner_ref: ref, partner_stage: stage, status: 'active' });
      expect(await move('somebody')).toMatchObject({ partner_stage: null, status: 'active' });
    });

    it('a key that is made later is the key of a suspended partner', async () => {
      const later = await api.key(ref);
      const { body } = await api
        .as(later)
        .post('/domains/', { name: `later-${name}` })
        .expect(403);
      expect(body.code).toBe('partner_suspended');
    });
  });
});
