import { startServices } from '../../../../scripts/services.mjs';
import { Browser } from '../testing/browser.js';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';

const started: ChildService[] = [];

async function start(environment: Record<string, string>): Promise<ChildService> {
  const service = await ChildService.start(environment);
  started.push(service);
  return service;
}

afterEach(async () => {
  for (const service of started.splice(0)) await service.end('SIGKILL');
});

describe('the process', () => {
  it('responds with 503 while the database is killed or hangs, and recovers without a restart', async () => {
    const services = await startServices({ mariadb: true });
    try {
      const service = await start({ DATABASE_URL: services.mariadbUrl });
      await service.call('POST', '/domains/', { name: 'back.example' });
      const browser = new Browser(service.url);
      await browser.enter(CHILD_MASTER);
      const unavailable = async () => {
        const answers = await Promise.all([
          service.call('GET', '/domains/back.example'),
          service.call('POST', '/domains/', { name: 'away.example' }),
          browser.send('get', '/me'),
        ]);
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
          [503, 'database_unavailable'],
          [503, 'database_unavailable'],
          [503, 'database_unavailable'],
        ]);
      };
      await services.mariadb.kill();
      await unavailable();
      expect((await service.call('GET', '/health/ready')).status).toBe(503);
      await services.mariadb.start();
      await service.until(async () => (await service.call('GET', '/domains/back.example')).status === 200);
      process.kill(services.mariadb.pid ?? 0, 'SIGSTOP');
      await unavailable();
      process.kill(services.mariadb.pid ?? 0, 'SIGCONT');
      await service.until(async () => (await service.call('GET', '/domains/back.example')).status === 200);
      await service.end('SIGKILL');
    } finally {
      await services.stop();
    }
  });

  it('verifies a domain with a worker, although the worker is killed and Redis loses its data', async () => {
    const services = await startServices({ mariadb: true, redis: true });
    try {
      const environment = {
        DATABASE_URL: services.mariadbUrl,
        REDIS_URL: services.redisUrl,
        SANDBOX_VERIFY_AFTER: '1',
      };
      const api = await start(environment);
      const worker = await ChildService.spawn('worker', environment);
      started.push(worker);
      await worker.until(async () => worker.output.includes('working'));
      await worker.end('SIGKILL');
      await api.call('POST', '/domains/', { name: 'worker.example' });
      await services.redis.kill();
      expect((await api.call('POST', '/domains/', { name: 'without-redis.example' })).status).toBe(201);
      await services.redis.start();
      started.push(await ChildService.spawn('worker', environment), await ChildService.spawn('worker', environment));
      for (const name of ['worker.example', 'without-redis.example']) {
        await api.until(
          async () => (await api.call('GET', `/domains/${name}`)).body.verification_status === 'verified',
        );
      }
      for (const each of started.splice(0)) await each.end('SIGKILL');
    } finally {
      await services.stop();
    }
  });
});
