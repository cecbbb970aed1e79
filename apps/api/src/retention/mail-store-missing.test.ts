import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { readinessOf } from '@mailstead/core/health-check';
import { MailStoreCheck } from '@mailstead/core/retention/mail-store-check';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  const opened: TestApi[] = [];

  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  /** Starts an API with a domain without a retention. */
  async function start(environment: Record<string, string> = {}) {
    const api = await startTestApi(kind, environment);
    opened.push(api);
    await api
      .as(await api.key('acme'))
      .post('/domains/', { name: 'acme.example' })
      .expect(201);
    const setRetention = (days: number) =>
      api.as(MASTER).put('/domains/acme.example/retention', { retention_days: days }).expect(200);
    const warned = async () => {
      const { isReady, warnings } = await readinessOf([api.container.get(MailStoreCheck)]);
      return [isReady, ...warnings.map(({ name }) => name)];
    };
    return { setRetention, warned };
  }

  it('a retention without a mail store is a warning, until no domain has one', async () => {
    const { setRetention, warned } = await start();
    expect(await warned()).toEqual([true]);
    await setRetention(30);
    expect(await warned()).toEqual([true, 'mail_store_missing']);
    await setRetention(0);
    expect(await warned()).toEqual([true]);
  });

  it('a retention with a mail store is no warning', async () => {
    const { setRetention, warned } = await start({ MAIL_STORE: 'maildir', MAILDIR_ROOT: '/nonexistent' });
    await setRetention(30);
    expect(await warned()).toEqual([true]);
  });
});
