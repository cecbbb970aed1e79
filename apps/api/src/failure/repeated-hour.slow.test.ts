import { makeTestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { startHostileServer } from '../../../../scripts/hostile-servers.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';

it('in the hour that autumn has twice a process is ready, and its jobs run', async () => {
  const given = process.env.MAILSTEAD_TEST_MARIADB_URL;
  const server = await startHostileServer('hour');
  process.env.MAILSTEAD_TEST_MARIADB_URL = server.url;
  try {
    const { url } = await makeTestLocation('mariadb');
    const api = await ChildService.start({ DATABASE_URL: url ?? '', ...server.environment });
    try {
      const ready = await fetch(`${api.url}/health/ready`, { headers: { Authorization: `Bearer ${CHILD_MASTER}` } });
      expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('"clock"')]);
      const { body } = await api.call('POST', '/domains/', { name: 'autumn.example' });
      expect(body.created_at).toMatch(/^2026-10-25T00:/);
      await api.until(
        async () => (await api.call('GET', '/domains/autumn.example')).body.verification_status === 'verified',
      );
    } finally {
      await api.end('SIGKILL');
    }
  } finally {
    process.env.MAILSTEAD_TEST_MARIADB_URL = given;
    await server.stop();
  }
});
