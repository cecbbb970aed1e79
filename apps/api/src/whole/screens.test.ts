import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { RelayCalls } from '@mailstead/core/relay/relay-calls';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import type { Response } from 'supertest';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, complaintOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const START = new Date('2026-03-15T12:00:00.000Z');
const DAY_MS = 86_400_000;

interface Day {
  day: string;
  sent: number;
  bounces: number;
  complaints: number;
}

interface BounceBody {
  id: number;
  recipient: string;
  kind: string;
}

/** What pages show of a partner: its numbers, its bounces, the mail servers, and how the relay is. */
onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind, {
      RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      MAIL_IMAP: 'mail.example.net:993',
      MAIL_SUBMISSION: 'mail.example.net:587',
    });
    acme = await api.key('acme');
    rival = await api.key('rival');
  });
  afterAll(() => api.close());

  const create = async (name: string, token = acme) => {
    await api.as(token).post('/domains/', { name }).expect(201);
    await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
    await api.as(MASTER).post(`/domains/${name}/relay-verify`).expect(202);
    api.relay.says(name, 'verified');
    api.clock.advance(20_000);
    await api.as(token).get(`/domains/${name}/relay-status`).expect(200);
  };
  const send = async (name: string, count: number) => {
    const { body } = await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count }).expect(200);
    expect(body.allowed).toBe(true);
  };
  const post = async (event: unknown) => {
    expect(await postSigned(api.url, event, { at: api.clock.now() })).toBe(200);
  };
  const process = () => api.container.get(ProcessRelayEvents).execute();
  const read = async <Body>(path: string, token = acme) => (await api.as(token).get(path).expect(200)).body as Body;
  const bouncesOf = (name: string, token = acme) => read<BounceBody[]>(`/domains/${name}/bounces`, token);
  const sentOn = (days: Day[]) =>
    Object.fromEntries(days.filter(({ sent }) => sent > 0).map((day) => [day.day, day.sent]));

  describe('the days of outbound mail', () => {
    beforeAll(async () => {
      api.clock.set(START);
      for (const name of ['days.example', 'quiet.example']) await create(name);
      await create('other-days.example', rival);
    });

    it('are 30, oldest first up to today, with zeros where nothing was sent', async () => {
      const days = await read<Day[]>('/domains/quiet.example/outbound/days');
      expect(days).toHaveLength(30);
      expect([days[0]?.day, days[29]?.day]).toEqual(['2026-02-14', '2026-03-15']);
      expect(days.every(({ sent, bounces, complaints }) => sent + bounces + complaints === 0)).toBe(true);
    });

    it('count each message on its day: an ended one whose counter is still open, one after a reset, and today', async () => {
      await send('days.example', 5);
      api.clock.advance(DAY_MS);
      expect(sentOn(await read('/domains/days.example/outbound/days'))).toEqual({ '2026-03-15': 5 });
      await send('days.example', 2);
      await api.as(MASTER).post('/outbound/reset-daily').expect(200);
      await send('days.example', 4);
      expect(sentOn(await read('/domains/days.example/outbound/days'))).toEqual({ '2026-03-15': 5, '2026-03-16': 6 });
      api.clock.advance(29 * DAY_MS);
      expect(sentOn(await read('/domains/days.example/outbound/days'))).toEqual({ '2026-03-16': 6 });
    });

    it('of a partner are the sums of its own domains, and nothing of another partner', async () => {
      await send('days.example', 1);
      await send('quiet.example', 3);
      await send('other-days.example', 100);
      for (const path of ['/outbound/days', '/outbound/days?partner_ref=acme']) {
        expect(sentOn(await read(path))).toEqual({ '2026-03-16': 6, '2026-04-14': 4 });
      }
      for (const token of [MASTER, READ]) {
        expect(sentOn(await read('/outbound/days?partner_ref=rival', token))).toEqual({ '2026-04-14': 100 });
      }
    });

    it('of another partner look to a client like those of none', async () => {
      const nobody = await read('/outbound/days?partner_ref=nobody');
      expect(await read('/outbound/days?partner_ref=rival')).toEqual(nobody);
      expect(await read('/outbound/days?partner_ref=nobody', MASTER)).toEqual(nobody);
      await api.as(acme).get('/domains/other-days.example/outbound/days').expect(404);
    });

    it('of all partners are read by master and `read` that name none, and a move or a deletion changes nothing', async () => {
      await create('moves.example');
      await send('moves.example', 10);
      const wanted = { '2026-03-16': 6, '2026-04-14': 114 };
      for (const token of [MASTER, READ]) expect(sentOn(await read('/outbound/days', token))).toEqual(wanted);
      await api.as(MASTER).put('/domains/moves.example/partner', { partner_ref: 'rival' }).expect(200);
      expect(sentOn(await read('/outbound/days', READ))).toEqual(wanted);
      await api.as(MASTER).delete('/domains/moves.example').expect(204);
      expect(sentOn(await read('/outbound/days', READ))).toEqual(wanted);
      expect((await read<{ sent_today: number }>('/me', READ)).sent_today).toBe(114);
      await api.as(BILLING).get('/outbound/days').expect(403);
    });

    it('count bounces and complaints on the day of their message', async () => {
      await send('quiet.example', 1_000);
      const sentAt = api.clock.now();
      api.clock.advance(DAY_MS);
      await post(bounceOf('quiet.example', ['a@example.net', 'b@example.net'], { at: sentAt }));
      await process();
      const days = await read<Day[]>('/domains/quiet.example/outbound/days');
      expect(days.filter(({ bounces }) => bounces > 0)).toMatchObject([{ day: '2026-04-14', bounces: 2 }]);
    });
  });

  describe('the description of the caller', () => {
    it('has what its partner uses and sent', async () => {
      const token = await api.key('used');
      await create('used.example', token);
      await api.as(token).post('/users/', { email: 'a@used.example', password: 'long enough' }).expect(201);
      await api.as(token).post('/aliases/', { address: 'b@used.example', destination: 'a@used.example' }).expect(201);
      await send('used.example', 7);
      const me = await read<Record<string, unknown>>('/me', token);
      expect(me).toMatchObject({
        kind: 'client',
        scope: 'manage',
        partner_ref: 'used',
        partner_stage: null,
        link: null,
        domains: null,
        domains_used: 1,
        mailboxes: 1,
        aliases: 1,
        sent_today: 7,
        sent_this_month: 7,
      });
      expect(await read(`/api-keys/${String(me.key_id)}`, MASTER)).toMatchObject({ partner_ref: 'used' });
      api.clock.advance(DAY_MS);
      expect(await read('/me', token)).toMatchObject({ sent_today: 0, sent_this_month: 7 });
      api.clock.advance(30 * DAY_MS);
      expect(await read('/me', token)).toMatchObject({ sent_today: 0, sent_this_month: 0 });
    });

    it('has the numbers of all partners for master and `read`, as the lists show them, and none for other operators', async () => {
      const partners = await read<Record<'domains_used' | 'mailboxes' | 'aliases', number>[]>('/partners/', READ);
      const sum = (column: 'domains_used' | 'mailboxes' | 'aliases') =>
        partners.reduce((total, each) => total + each[column], 0);
      const days = await read<Day[]>('/outbound/days', READ);
      const numbers = {
        key_id: null,
        limits: null,
        domains: null,
        partners: partners.length,
        domains_used: sum('domains_used'),
        mailboxes: sum('mailboxes'),
        aliases: sum('aliases'),
        sent_today: days.at(-1)?.sent,
        sent_this_month: null,
      };
      expect([partners.length, numbers.mailboxes]).toEqual([3, 1]);
      for (const token of [MASTER, READ]) expect(await read('/me', token)).toMatchObject(numbers);
      for (const token of [BILLING, POLICY]) {
        const none = { partners: null, domains_used: null, mailboxes: null, aliases: null, sent_today: null };
        expect(await read('/me', token)).toMatchObject(none);
      }
    });
  });

  it('the mail servers are the same for every token, null where none is set', async () => {
    const servers = {
      imap: { host: 'mail.example.net', port: 993, security: 'tls' },
      pop3: null,
      submission: { host: 'mail.example.net', port: 587, security: 'starttls' },
    };
    for (const token of [acme, READ, POLICY]) expect(await read('/mail-settings', token)).toEqual(servers);
    expect(await read('/mail-settings', MASTER)).toEqual({ ...servers, unset: ['MX_HOSTS', 'SPF_INCLUDE'] });
  });

  it('the jobs name the last success and the last failure of the relay, each the latest of all processes', async () => {
    const relay = async () => {
      const jobs = await read<{ name: string; relay: unknown }[]>('/jobs', MASTER);
      expect(jobs.filter(({ relay: calls }) => calls !== null)).toHaveLength(1);
      return jobs.find(({ name }) => name === 'verification.poll')?.relay;
    };
    expect(await relay()).toEqual({ last_success: null, last_failure: null });
    const calls = api.container.get(RelayCalls);
    const [earlier, later] = [new Date('2026-03-15T11:00:00.000Z'), new Date('2026-03-15T11:30:00.000Z')];
    await calls.noteSuccess({ at: later, operation: 'list_identities' });
    await calls.noteSuccess({ at: earlier, operation: 'get_identity' });
    await calls.noteFailure({ at: earlier, operation: 'get_identity', reason: `no answer ${'x'.repeat(600)}` });
    expect(await relay()).toEqual({
      last_success: { at: '2026-03-15T11:30:00.000', operation: 'list_identities', reason: null },
      last_failure: {
        at: '2026-03-15T11:00:00.000',
        operation: 'get_identity',
        reason: expect.stringMatching(/^no answer x{490}$/),
      },
    });
  });

  describe('the list of bounces', () => {
    beforeAll(async () => {
      await create('bounced.example');
      await send('bounced.example', 10_000);
    });

    it('has every field, newest first, without control characters', async () => {
      const event = bounceOf('bounced.example', [], { messageId: 'm-1', at: api.clock.now() });
      Object.assign(event.bounce, {
        bouncedRecipients: [{ emailAddress: 'Jane <Jane@example.net>', diagnosticCode: 'smtp; 550\r\n5.1.1 \u202eno' }],
      });
      await post(event);
      await process();
      await post(complaintOf('bounced.example', ['joe@example.net'], { at: api.clock.now() }));
      await process();
      const [complaint, bounce] = await read<Record<string, unknown>[]>('/domains/bounced.example/bounces');
      expect(bounce).toEqual({
        id: expect.any(Number),
        at: api.clock.now().toISOString().slice(0, -1),
        recipient: 'jane@example.net',
        sender: 'news@bounced.example',
        kind: 'permanent',
        subtype: 'General',
        diagnostic: 'smtp; 550  5.1.1  no',
        message_id: 'm-1',
      });
      expect(complaint).toMatchObject({ kind: 'complaint', recipient: 'joe@example.net', diagnostic: 'abuse' });
    });

    it('has transient and undetermined bounces and suppressed recipients, which do not count in the rate', async () => {
      const before = await read<{ bounces: number }>('/domains/bounced.example/outbound');
      const variants = { soft: 'Transient', odd: 'Undetermined', listed: 'Permanent', invalid: 'Permanent' };
      const subTypes: Record<string, string> = {
        listed: 'OnAccountSuppressionList',
        invalid: 'EmailValidationSuppressed',
      };
      for (const [name, bounceType] of Object.entries(variants)) {
        const event = bounceOf('bounced.example', [`${name}@example.net`], { at: api.clock.now() });
        const bounceSubType = subTypes[name] ?? 'General';
        await post({ ...event, bounce: { ...event.bounce, bounceType, bounceSubType } });
      }
      await post(complaintOf('bounced.example', ['sorry@example.net'], { feedback: 'not-spam', at: api.clock.now() }));
      expect(await process()).toMatchObject({ listed: 4, ignored: 1, counted: 0 });
      const kinds = new Map((await bouncesOf('bounced.example')).map((each) => [each.recipient, each.kind]));
      expect(['soft', 'odd', 'listed', 'sorry'].map((name) => kinds.get(`${name}@example.net`))).toEqual([
        'transient',
        'transient',
        'permanent',
        undefined,
      ]);
      expect(await read('/domains/bounced.example/outbound')).toMatchObject({ bounces: before.bounces });
    });

    it('is read in pages that link to each other, and completely without a limit', async () => {
      await post(
        bounceOf('bounced.example', ['p1@example.net', 'p2@example.net', 'p3@example.net'], { at: api.clock.now() }),
      );
      await process();
      const all = await bouncesOf('bounced.example');
      const paged: BounceBody[] = [];
      let path: string | undefined = '/domains/bounced.example/bounces?limit=2';
      while (path !== undefined) {
        const response: Response = await api.as(acme).get(path).expect(200);
        paged.push(...(response.body as BounceBody[]));
        path = /<([^>]+)>/.exec(response.headers.link ?? '')?.[1];
      }
      expect(paged).toEqual(all);
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((left, right) => right - left));
    });

    it('has nothing of mail that was sent before the row of the domain existed', async () => {
      const sentAt = api.clock.now();
      api.clock.advance(1_000);
      await create('anew.example');
      await post(bounceOf('anew.example', ['early@example.net'], { at: sentAt }));
      await post(bounceOf('anew.example', ['first@example.net'], { at: api.clock.now() }));
      await process();
      expect(await bouncesOf('anew.example')).toMatchObject([{ recipient: 'first@example.net' }]);
      await api.as(acme).delete('/domains/anew.example').expect(204);
      await create('anew.example');
      expect(await bouncesOf('anew.example')).toEqual([]);
    });

    it('shows each partner only what bounced of its own mail, also when it is reported after a move', async () => {
      await create('moved.example');
      const beforeMove = api.clock.now();
      await post(bounceOf('moved.example', ['acme1@example.net'], { at: beforeMove }));
      await process();
      api.clock.advance(1_000);
      await api.as(MASTER).put('/domains/moved.example/partner', { partner_ref: 'rival' }).expect(200);
      await post(bounceOf('moved.example', ['acme2@example.net'], { at: beforeMove }));
      await post(bounceOf('moved.example', ['rival1@example.net'], { at: api.clock.now() }));
      await process();
      expect(await bouncesOf('moved.example', rival)).toMatchObject([{ recipient: 'rival1@example.net' }]);
      expect(await bouncesOf('moved.example', MASTER)).toMatchObject([{ recipient: 'rival1@example.net' }]);
      await api.as(acme).get('/domains/moved.example/bounces').expect(404);
      api.clock.advance(1_000);
      await api.as(MASTER).put('/domains/moved.example/partner', { partner_ref: 'acme' }).expect(200);
      expect(await bouncesOf('moved.example')).toMatchObject([{ recipient: 'acme1@example.net' }]);
    });

    it('keeps a bounce for 30 days', async () => {
      await create('kept.example');
      await post(bounceOf('kept.example', ['old@example.net'], { at: api.clock.now() }));
      await process();
      const clean = () => api.container.get(Housekeeping).execute({ period: { key: 'test', dueAt: api.clock.now() } });
      api.clock.advance(30 * DAY_MS);
      await clean();
      expect(await bouncesOf('kept.example')).toHaveLength(1);
      api.clock.advance(1);
      expect(await clean()).toMatchObject({ bounces: expect.any(Number) });
      expect(await bouncesOf('kept.example')).toEqual([]);
    });
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
