import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { Jobs } from '@mailstead/core/jobs/jobs';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

type Payload = Jobs['trail.join'];

const HOST = 'mx1.a_b.example';

/** What the relay says about messages, which is joined in SQL. */
onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let queue = 0;

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    acme = await api.key('acme');
    for (const name of ['acme.example', 'other.example']) await api.as(acme).post('/domains/', { name }).expect(201);
    const rival = await api.key('rival');
    await api.as(rival).post('/domains/', { name: 'rival.example' }).expect(201);
  });
  afterAll(() => api.close());

  const at = (seconds: number) => new Date(api.clock.now().getTime() + (seconds - 600) * 1_000).toISOString();

  /** Reports a message that the relay took. @returns its queue id and its id at the relay */
  async function relay(...recipients: string[]): Promise<{ queueId: string; relayId: string }> {
    queue += 1;
    const queueId = `4dG${queue}zQrT`;
    const relayId = `0102018f2c6e4b11-${queue}-000000`;
    const given = { host: HOST, queue_id: queueId, direction: 'out', domain: 'acme.example', sender: 'a@acme.example' };
    const items = recipients.flatMap((recipient) => [
      { ...given, recipient, at: at(0), step: 'accepted' },
      { ...given, recipient, at: at(1), step: 'relayed', detail: `250 Ok ${relayId}` },
    ]);
    await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    return { queueId, relayId };
  }

  /** @param more the part of the event that says what happened */
  async function tell(
    type: string,
    relayId: string,
    more: object,
    { tag, source }: { tag?: string; source?: string } = {},
  ) {
    const tags = tag === undefined ? {} : { tags: { mailstead: [tag] } };
    const mail = { timestamp: at(1), messageId: relayId, source: source ?? 'a@acme.example', ...tags };
    expect(await postSigned(api.url, { eventType: type, mail, ...more }, { at: api.clock.now() })).toBe(200);
    await api.container.get(ProcessRelayEvents).execute();
  }

  /** Runs the jobs that are due after a while, as the worker does. @returns their number */
  async function runJobs(waitMs: number): Promise<number> {
    api.clock.advance(waitMs);
    const now = api.clock.now();
    const isDue = ({ name, options }: (typeof api.jobs.jobs)[number]) =>
      name === 'trail.join' && (options.runAt ?? now) <= now;
    const due = api.jobs.jobs.filter(isDue);
    api.jobs.jobs.splice(0, Number.POSITIVE_INFINITY, ...api.jobs.jobs.filter((job) => !isDue(job)));
    const context = { jobId: 1, requestId: null, attempt: 1 };
    for (const { payload } of due) await api.container.get(JobTable)['trail.join'](payload as Payload, context);
    return due.length;
  }

  const tagOf = (queueId: string) => `mx1_a_b_example-${queueId}`;
  const delivery = (...recipients: string[]) => ({
    delivery: { timestamp: at(5), recipients, smtpResponse: '250 2.6.0 taken' },
  });
  const bounce = (...recipients: string[]) => ({
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'NoEmail',
      timestamp: at(6),
      bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, diagnosticCode: 'smtp; 550 5.1.1 who?' })),
    },
  });
  async function shown(recipient: string) {
    const { body } = await api.as(acme).get(`/messages?recipient=${recipient}`).expect(200);
    const details = (body as { id: string }[]).map(({ id }) => api.as(acme).get(`/messages/${id}`).expect(200));
    return (await Promise.all(details)).map((each) => each.body);
  }

  it('a delivery, a delay and a bounce are steps of the recipients that they name, found by the tag', async () => {
    const [one, two] = ['one@t.example', 'two@t.example'];
    const { queueId } = await relay(one, two);
    const tag = tagOf(queueId);
    const delayed = [{ emailAddress: 'Two@t.example', diagnosticCode: '421 later' }];
    await tell(
      'DeliveryDelay',
      'other-id',
      { deliveryDelay: { timestamp: at(3), delayedRecipients: delayed } },
      { tag },
    );
    await tell('Delivery', 'other-id', delivery('One@t.example'), { tag });
    await tell('Bounce', 'other-id', bounce(two), { tag });
    await tell('Bounce', 'other-id', bounce(two), { tag });
    expect(await shown(one)).toMatchObject([
      {
        state: 'delivered',
        last_at: at(5).slice(0, -1),
        steps: [{ step: 'accepted' }, { step: 'relayed' }, { step: 'delivered', detail: '250 2.6.0 taken' }],
      },
    ]);
    expect(await shown(two)).toMatchObject([
      {
        state: 'bounced',
        reason: 'NoEmail',
        steps: [
          { step: 'accepted' },
          { step: 'relayed' },
          { step: 'deferred', detail: '421 later' },
          { step: 'bounced', detail: 'NoEmail: smtp; 550 5.1.1 who?' },
        ],
      },
    ]);
  });

  it('feedback without a tag is found by the id that the relay answered', async () => {
    const recipient = 'untagged@t.example';
    const { relayId } = await relay(recipient);
    const complainedRecipients = [{ emailAddress: recipient }];
    await tell('Delivery', relayId, delivery(recipient));
    await tell('Complaint', relayId, { complaint: { timestamp: at(9), complainedRecipients } });
    expect(await shown(recipient)).toMatchObject([{ state: 'complained' }]);
  });

  it('what the relay says of a copy that an alias sent on is a step of the alias', async () => {
    const { queueId, relayId } = await relay('known@t.example');
    const alias = { host: HOST, queue_id: queueId, direction: 'out', domain: 'acme.example', sender: 'a@acme.example' };
    const items = ['accepted', 'stored', 'relayed'].map((step, index) => ({
      ...alias,
      recipient: 'team@acme.example',
      at: at(index),
      step,
      detail: step === 'relayed' ? `to Far@t.example: 250 Ok ${relayId}x` : null,
    }));
    await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    const tag = tagOf(queueId);
    await tell('Bounce', `${relayId}x`, bounce('else@t.example'), { tag });
    await tell('Bounce', `${relayId}x`, bounce('far@t.example'), { tag, source: 'x@rival.example' });
    expect(await shown('team@acme.example')).toMatchObject([{ state: 'relayed' }]);
    await tell('Bounce', `${relayId}x`, bounce('far@t.example'), { tag });
    const [row] = await shown('team@acme.example');
    expect(row).toMatchObject({ state: 'bounced' });
    expect(row.steps.at(-1).detail).toBe('to far@t.example: NoEmail: smtp; 550 5.1.1 who?');
  });

  it('an event that comes before the message is reported is joined when it was, by its tag', async () => {
    api.jobs.jobs.length = 0;
    const [early, never] = ['early@t.example', 'never@t.example'];
    const next = tagOf(`4dG${queue + 1}zQrT`);
    await tell('Bounce', 'of-ses', bounce(early, never), { tag: next });
    await tell('Bounce', 'of-ses-2', bounce(early), { tag: next, source: 'x@rival.example' });
    await relay(early);
    expect(await shown(early)).toMatchObject([{ state: 'relayed' }]);
    await runJobs(MINUTE_MS);
    expect(await shown(early)).toMatchObject([{ state: 'bounced', steps: [{}, {}, { step: 'bounced' }] }]);
    for (const waitMs of [10 * MINUTE_MS, 2 * HOUR_MS]) expect(await runJobs(waitMs)).toBe(1);
    expect(await runJobs(24 * HOUR_MS)).toBe(0);
    expect(await shown(never)).toEqual([]);
  });

  it('a mark of a mailing that was never tried is shown with its word', async () => {
    const recipient = 'listed@t.example';
    const { queueId } = await relay(recipient);
    const { bounce: found } = bounce(recipient);
    await tell(
      'Bounce',
      'x',
      { bounce: { ...found, bounceSubType: 'OnAccountSuppressionList' } },
      { tag: tagOf(queueId) },
    );
    expect(await shown(recipient)).toMatchObject([{ state: 'bounced', reason: 'OnAccountSuppressionList' }]);
  });

  it('an event changes no message of another domain, also of another partner, queue id or recipient', async () => {
    const recipient = 'kept@t.example';
    const { queueId, relayId } = await relay(recipient);
    await tell('Bounce', relayId, bounce(recipient), { tag: tagOf(queueId), source: 'x@other.example' });
    await tell('Bounce', relayId, bounce(recipient), { source: 'x@other.example' });
    await tell('Bounce', relayId, bounce(recipient), { tag: tagOf(queueId), source: 'x@rival.example' });
    await tell('Bounce', relayId, bounce(recipient), { source: 'x@rival.example' });
    await tell('Bounce', relayId, bounce(recipient), { tag: `${tagOf(queueId)}x` });
    await tell('Bounce', relayId, bounce('else@t.example'), { tag: tagOf(queueId) });
    await tell('Bounce', 'another', bounce(recipient));
    expect(await shown(recipient)).toMatchObject([{ state: 'relayed', steps: [{}, {}] }]);
  });
});
