import { TestPlatform } from '../testing/platform.js';
import { linesWith, sendTraced, TRACE_ID } from '../testing/traced-creation.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await TestPlatform.start();
});
afterAll(() => platform.stop());

it('the trace of a request to an API is that of its job in a worker, with MariaDB and Redis', async () => {
  const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
  expect((await sendTraced(platform.api, '/domains/', headers, { name: 'traced.example' })).status).toBe(201);
  const lines = await Promise.any(platform.workers.map((worker) => linesWith(worker, 'trace_id', TRACE_ID)));
  expect(lines).toMatchObject([{ process: 'worker', message: 'job', job: 'domain.verify', trace_id: TRACE_ID }]);
});
