import { aBridged, aSesBounce } from '@mailstead/adapters/ses/testing/ses-messages';
import { TOPIC_ARN } from '@mailstead/adapters/ses/testing/topic-arn';
import { postSns, type SesPlatform, startSesPlatform } from '../testing/ses-platform.js';

const DOMAIN = 'loop.example';

describe('processes with SES', () => {
  let ses: SesPlatform;

  beforeAll(async () => {
    ses = await startSesPlatform();
  });
  afterAll(() => ses.stop());

  const relay = async () => (await ses.platform.api.call('GET', '/relay')).body;

  it('read the account when they start, and a message of a new domain comes back as a bounce', async () => {
    const { api } = ses.platform;
    await api.until(async () => (await relay()).checked_at !== null);
    expect(await relay()).toMatchObject({
      provider: 'ses',
      account: { production_access: true, enforcement: 'HEALTHY' },
      configuration_set: { name: 'mailstead', events: ['BOUNCE', 'COMPLAINT'], topics: [TOPIC_ARN] },
      last_event_at: null,
      warnings: [],
    });
    await api.call('POST', '/domains/', { name: DOMAIN });
    await api.until(async () => ses.emulator.identity(DOMAIN)?.configurationSet === 'mailstead');
    ses.emulator.verify(DOMAIN);
    expect(ses.emulator.send(DOMAIN, 'BOUNCE')).toEqual([TOPIC_ARN]);
    await api.until(async () => ((await relay()).identities as { aligned: number }).aligned === 1);
    const mail = { timestamp: new Date().toISOString(), messageId: 'm-1', source: `news@${DOMAIN}` };
    const { body } = ses.signed(aBridged('Email Bounced', aSesBounce('eventType', { mail })));
    expect(await postSns(api.url, body)).toBe(200);
    await api.until(async () => (await relay()).last_event_at !== null);
    await api.until(async () => (await api.call('GET', `/domains/${DOMAIN}/outbound`)).body.bounces === 1);
  });
});
