import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import {
  asPublished,
  bounceOf,
  complaintOf,
  countComplaint,
  postSigned,
  WEBHOOK_SECRET,
} from '../testing/relay-events.js';
import { verifyDomain } from '../testing/verify-domain.js';

interface Row {
  recipient: string;
  kind: string;
  diagnostic: string | null;
}

const THREE = ['ann@free.example', 'ben@free.example', 'cem@free.example'];
const RECEIPT = [
  { name: 'From', value: 'Jane <jane@sender.example>' },
  { name: 'Content-Type', value: 'multipart/report; report-type=disposition-notification; boundary="b"' },
];

onHttpDatabase((kind) => {
  let api: TestApi;
  let key: string;
  let made = 0;
  let domain: string;

  beforeAll(async () => {
    // With 1,000 messages, 3 complaints are 0.3 %.
    api = await startTestApi(kind, {
      RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      COMPLAINT_RATE_LIMIT: '0.3',
      BOUNCE_RATE_LIMIT: '2.5',
    });
    key = await api.key('acme');
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    made += 1;
    domain = `sender${made}.example`;
    await verifyDomain(api, key, domain);
    await api.as(MASTER).put(`/domains/${domain}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
    await api.as(POLICY).post(`/domains/${domain}/outbound/increment`, { count: 1_000 }).expect(200);
    api.clock.advance(1_000);
  });

  const process = () => api.container.get(ProcessRelayEvents).execute();
  const report = async (...events: object[]) => {
    for (const event of events) expect(await postSigned(api.url, event, { at: api.clock.now() })).toBe(200);
    return process();
  };
  const complaint = (recipients: string[], messageId?: string) =>
    complaintOf(domain, recipients, { at: api.clock.now(), ...(messageId === undefined ? {} : { messageId }) });
  const outbound = async () => (await api.as(key).get(`/domains/${domain}/outbound`).expect(200)).body as object;
  const listed = async () =>
    ((await api.as(key).get(`/domains/${domain}/bounces`).expect(200)).body as Row[]).map((row) => [
      row.recipient,
      row.kind,
      row.diagnostic,
    ]);
  const suppressed = async () => (await api.as(key).get(`/suppressions?domain=${domain}`).expect(200)).body as object[];

  describe('a complaint that names everybody who may have complained', () => {
    it('counts once, lists all, and suppresses none', async () => {
      expect(await report(complaint(THREE))).toMatchObject({ counted: 1 });
      expect(await outbound()).toMatchObject({ complaints: 1, outbound_status: 'active' });
      const rows = THREE.map((address) => [address, 'complaint', 'one of 3 possible']);
      expect(await listed()).toEqual(rows.toReversed());
      expect(await suppressed()).toEqual([]);
    });

    it('is one of the three that block a domain: two of three recipients do not, a third message does', async () => {
      await report(complaint(THREE), complaint(THREE));
      expect(await outbound()).toMatchObject({ complaints: 2, outbound_status: 'active' });
      await report(complaint(THREE));
      expect(await outbound()).toMatchObject({
        complaints: 3,
        outbound_status: 'blocked',
        blocked_reason: 'complaint_rate',
      });
    });

    it('counts once for each domain of recipients, however they are spelled', async () => {
      await report(
        complaint([
          'a@free.example',
          'B@FREE.example',
          'c@münchen.example',
          'd@xn--mnchen-3ya.example',
          'e@free.example.',
        ]),
      );
      expect(await outbound()).toMatchObject({ complaints: 2 });
      expect(await suppressed()).toEqual([]);
    });

    it('counts once on all paths, and when others of the same domain are named', async () => {
      const messageId = `paths-${made}-${kind}`;
      const event = complaint(THREE, messageId);
      const bridged = { source: 'aws.ses', 'detail-type': 'Email Complaint Received' };
      const others = [
        event,
        asPublished(event as unknown as ReturnType<typeof bounceOf>, domain),
        { ...bridged, detail: asPublished(event as unknown as ReturnType<typeof bounceOf>, domain) },
        complaint(['dan@free.example'], messageId),
      ];
      expect(await report(event, ...others)).toMatchObject({ counted: 1, listed: 1, repeated: 3 });
      for (const other of others) expect(await report(other)).toMatchObject({ counted: 0, repeated: 1 });
      expect(await outbound()).toMatchObject({ complaints: 1 });
      expect(await listed()).toHaveLength(4);
    });

    it('counts once when a crash interrupted it between its parts, and its last part suppresses nobody', async () => {
      const messageId = `parts-${made}-${kind}`;
      const many = Array.from({ length: 2_001 }, (_, index) => `r${index}@free.example`);
      // The last part has one recipient.
      const first = { domain, messageId, recipients: many.slice(0, 2_000), named: many.length };
      expect(await countComplaint(api, first)).toBe('counted');
      expect(await report(complaint(many, messageId))).toMatchObject({ counted: 0, listed: 1 });
      expect(await outbound()).toMatchObject({ complaints: 1 });
      expect((await listed()).map(([, , diagnostic]) => diagnostic)).toEqual(many.map(() => 'one of 2001 possible'));
      expect(await suppressed()).toEqual([]);
    });

    it('with more recipients than a transaction takes counts once, and suppresses nobody', async () => {
      const many = Array.from({ length: 2_001 }, (_, index) => `r${index}@free.example`);
      expect(await report(complaint(many))).toMatchObject({ counted: 1, listed: 0 });
      expect(await outbound()).toMatchObject({ complaints: 1 });
      expect(await suppressed()).toEqual([]);
    });

    it('of one recipient counts, says what the provider says, and suppresses it', async () => {
      await report(complaint(['Sure@free.example']));
      expect(await outbound()).toMatchObject({ complaints: 1 });
      expect(await listed()).toEqual([['sure@free.example', 'complaint', 'abuse']]);
      expect(await suppressed()).toMatchObject([{ address: 'sure@free.example', reason: 'complaint' }]);
    });
  });

  describe('a bounce of a read receipt', () => {
    const receipt = (recipient: string, mail: object, messageId?: string) => {
      const at = api.clock.now();
      const event = bounceOf(domain, [], { at, ...(messageId === undefined ? {} : { messageId }) });
      const bouncedRecipients = [{ emailAddress: recipient, status: '5.1.1' }];
      return {
        eventType: 'Bounce',
        mail: { ...event.mail, tags: { 'ses:from-domain': [domain] }, ...mail },
        bounce: { ...event.bounce, bouncedRecipients },
      };
    };

    it('is listed, and neither counted nor a reason to suppress, however many there are', async () => {
      const strangers = Array.from({ length: 40 }, (_, index) => `nobody${index}@stranger.example`);
      const sent = strangers.map((each, index) =>
        receipt(each, index % 2 === 0 ? { headers: RECEIPT } : { source: '<>' }),
      );
      expect(await report(...sent)).toMatchObject({ counted: 0, listed: 40 });
      expect(await outbound()).toMatchObject({ bounces: 0, outbound_status: 'active' });
      expect(await listed()).toHaveLength(40);
      expect(await suppressed()).toEqual([]);
    });

    it('is told by the tag of the mail server; with our tags alone the form of a receipt says nothing', async () => {
      const tags = { mailstead: ['mx_test-4XyZ'] };
      const marked = { tags: { ...tags, mailstead_receipt: ['yes'] } };
      await report(receipt('marked@stranger.example', marked, `marked-${made}-${kind}`));
      expect(await outbound()).toMatchObject({ bounces: 0 });
      await report(receipt('forged@stranger.example', { tags, headers: RECEIPT }, `forged-${made}-${kind}`));
      expect(await outbound()).toMatchObject({ bounces: 1 });
      const recipients = (await listed()).map(([recipient]) => recipient);
      expect(new Set(recipients)).toEqual(new Set(['forged@stranger.example', 'marked@stranger.example']));
    });

    it('is not counted either when it comes again without its header', async () => {
      const messageId = `receipt-${made}-${kind}`;
      await report(receipt('nobody@stranger.example', { headers: RECEIPT }, messageId));
      expect(await report(receipt('nobody@stranger.example', {}, messageId))).toMatchObject({ repeated: 1 });
      expect(await outbound()).toMatchObject({ bounces: 0 });
    });

    it('with another report in the message counts like every bounce', async () => {
      const headers = [{ name: 'Content-Type', value: 'multipart/report; report-type=feedback-report' }];
      await report(receipt('gone@stranger.example', { headers }));
      expect(await outbound()).toMatchObject({ bounces: 1 });
    });
  });

  it('a bounce counts once for a message and its recipient, however that is spelled, on whichever path', async () => {
    const messageId = `spelled-${made}-${kind}`;
    const at = api.clock.now();
    const spelled = [
      'j.doe@bücher.example',
      'J.Doe@xn--bcher-kva.example',
      'j.doe@bücher.example.',
      '"j.doe"@BÜCHER.example',
    ];
    await report(bounceOf(domain, spelled, { at, messageId }));
    for (const each of spelled) {
      const published = asPublished(bounceOf(domain, [each], { at, messageId }), domain);
      expect(await report(published)).toMatchObject({ counted: 0, repeated: 1 });
    }
    expect(await outbound()).toMatchObject({ bounces: 1 });
    expect(await listed()).toEqual([['j.doe@bücher.example', 'permanent', null]]);
  });

  it('the state of a domain has the limits of the rule, as fractions', async () => {
    expect(await outbound()).toMatchObject({ bounce_rate_limit: 0.025, complaint_rate_limit: 0.003 });
  });
});
