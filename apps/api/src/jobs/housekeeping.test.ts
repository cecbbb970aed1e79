import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { latestPeriod, SCHEDULES } from '@mailstead/core/jobs/schedules';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  it('corrects every wrong count of partners and domains in the runs of one day', async () => {
    await api.key('acme');
    for (const name of ['one.example', 'two.example']) {
      await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
    }
    await api.database.write('UPDATE domain SET mailbox_count = 3');
    await api.database.write("UPDATE partner SET domain_count = 5 WHERE ref = 'acme'");
    const mended: (number | undefined)[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      const period = latestPeriod(SCHEDULES.housekeeping, api.clock.now());
      mended.push((await api.container.get(Housekeeping).execute({ period })).counts_mended);
      api.clock.advance(HOUR_MS);
    }
    expect(mended.reduce((sum = 0, count = 0) => sum + count, 0)).toBe(3);
    const { body } = await api.as(MASTER).get('/partners/acme').expect(200);
    expect(body).toMatchObject({ domains_used: 2, mailboxes: 0 });
  });
});
