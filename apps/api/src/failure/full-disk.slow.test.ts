import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { freePort } from '../../../../scripts/free-port.mjs';
import { startServices } from '../../../../scripts/services.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { ParallelLoad } from '../testing/parallel-load.js';
import { SmallDisk } from '../testing/small-disk.js';

/** Mounting requires root. `full-disk.test.ts` tests the same with a database of limited size. */
const suite = (await SmallDisk.isPossible()) ? describe : describe.skip;
const NOTHING_LOST = { lost: [], unexpected: [], counted: 0 };

suite('the service with its embedded database on a small disk', () => {
  let disk: SmallDisk;
  let service: ChildService;
  let load: ParallelLoad;

  const start = async () => {
    service = await ChildService.start({ DATA_DIR: join(disk.path, 'data'), LOG_LEVEL: 'warn' });
  };
  const ready = async () => (await service.call('GET', '/health/ready')).status;

  beforeEach(async () => {
    disk = await SmallDisk.mount(5);
    await start();
    await service.call('POST', '/domains/', { name: 'home.example' });
    load = new ParallelLoad(() => service, 'home.example');
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await disk.unmount();
  });

  it('keeps everything that it acknowledged while the disk fills up repeatedly, and never restarts', async () => {
    for (const sizeMb of [6, 7, 9, 14]) {
      await load.untilRefused(200);
      expect(await service.readyAnew()).toBe(503);
      expect((await service.call('GET', '/domains/home.example')).status).toBe(200);
      expect(await load.difference()).toEqual(NOTHING_LOST);
      disk.resize(sizeMb);
      await service.until(async () => (await ready()) === 200);
    }
    expect((await service.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
    expect(await load.difference()).toEqual(NOTHING_LOST);
    expect([...load.refused.keys()]).toEqual([503]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'starts again on the full disk after %s, and has everything',
    async (signal) => {
      await load.untilRefused(200);
      disk.fill();
      await service.end(signal);
      await start();
      expect(await load.difference()).toEqual(NOTHING_LOST);
      await load.untilRefused(20);
      expect(await service.readyAnew()).toBe(503);
      disk.free();
      disk.resize(8);
      await service.until(async () => (await ready()) === 200);
      expect((await service.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
      expect(await load.difference()).toEqual(NOTHING_LOST);
      expect([...load.refused.keys()]).toEqual([503]);
    },
  );

  it('prints one sentence when the disk is too full for the first start', async () => {
    disk.free();
    const first = await SmallDisk.mount(1);
    try {
      mkdirSync(join(first.path, 'data'), { mode: 0o700 });
      // Less than the tables of a new installation need.
      first.fill(300_000);
      const refused = await ChildService.spawn('api', { DATA_DIR: join(first.path, 'data') });
      expect(await refused.exit()).toBe(1);
      expect(refused.output.trim().split('\n')).toEqual([
        expect.stringMatching(/^The disk of the database is full .*DATA_DIR/),
      ]);
    } finally {
      await first.unmount();
    }
  });
});

suite('the service with MariaDB on a small disk', () => {
  let disk: SmallDisk;
  let services: Awaited<ReturnType<typeof startBoth>>;
  const started: ChildService[] = [];

  const startBoth = () => startServices({ mariadb: true, redis: true, parentFolder: disk.path });
  const start = async (app: 'api' | 'worker', environment: Record<string, string> = {}) => {
    const service = await ChildService.spawn(app, {
      DATABASE_URL: services.mariadbUrl,
      REDIS_URL: services.redisUrl,
      LOG_LEVEL: 'warn',
      SANDBOX_VERIFY_AFTER: '1',
      ...environment,
    });
    started.push(service);
    return service;
  };

  beforeEach(async () => {
    disk = await SmallDisk.mount(240);
    services = await startBoth();
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.end('SIGKILL');
    await services.stop();
    await disk.unmount();
  });

  it('keeps everything that it acknowledged and every job, and recovers without a restart when there is space', async () => {
    const api = await start('api');
    const ready = async () => (await api.call('GET', '/health/ready')).status;
    await api.until(async () => (await ready()) === 200);
    const workerPort = String(await freePort());
    const worker = await start('worker', { WORKER_PORT: workerPort, METRICS_TOKEN: CHILD_MASTER });
    const workerReady = async () => (await fetch(`http://127.0.0.1:${workerPort}/health/ready`)).status;
    await worker.until(async () => (await workerReady()) === 200);
    const load = new ParallelLoad(() => api, 'home.example');
    await api.call('POST', '/domains/', { name: 'home.example' });
    for (let round = 0; round < 3; round += 1) {
      const domains = Array.from({ length: 20 }, (_, index) => `d${round}-${index}.example`);
      for (const name of domains) await api.call('POST', '/domains/', { name });
      disk.fill();
      await load.untilRefused(200);
      expect(await api.readyAnew()).toBe(503);
      expect((await api.call('GET', '/domains/home.example')).status).toBe(200);
      expect(await load.difference()).toEqual(NOTHING_LOST);
      disk.free();
      await api.until(async () => (await ready()) === 200);
      await worker.until(async () => (await workerReady()) === 200);
      for (const name of domains) {
        await api.until(
          async () => (await api.call('GET', `/domains/${name}`)).body.verification_status === 'verified',
        );
      }
      expect(await load.difference()).toEqual(NOTHING_LOST);
    }
    expect((await api.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
    expect([...load.refused.keys()]).toEqual([503]);
    const jobs = (await api.call('GET', '/jobs')).body as unknown as { name: string; failed: object[] }[];
    expect(jobs.filter(({ failed }) => failed.length > 0)).toEqual([]);
  });
});

describe('the service whose embedded database fails at the commit', () => {
  let service: ChildService;
  let dataDir: string;
  let remove: () => Promise<void>;

  const ready = async () => (await service.call('GET', '/health/ready')).status;
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(service.process.pid), `--fsize=${bytes}:unlimited`]);
  /** Limits the growth of the log to which a commit writes. */
  const limitLog = async (growth: number) =>
    limitFiles((await stat(join(dataDir, 'mailstead.sqlite-wal'))).size + growth);

  beforeEach(async () => {
    ({ dataDir, remove } = await makeTestLocation('sqlite'));
    service = await ChildService.start({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
    await service.call('POST', '/domains/', { name: 'home.example' });
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await remove();
  });

  it('keeps everything that it acknowledged, and recovers without a restart', async () => {
    const load = new ParallelLoad(() => service, 'home.example');
    for (let round = 0; round < 3; round += 1) {
      await limitLog(200_000);
      await load.untilRefused(40);
      expect(await service.readyAnew()).toBe(503);
      expect(await load.difference()).toEqual(NOTHING_LOST);
      limitFiles('unlimited');
      await service.until(async () => (await ready()) === 200);
    }
    expect((await service.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
    expect(await load.difference()).toEqual(NOTHING_LOST);
    expect([...load.refused.keys()]).toEqual([503]);
  });

  it('is not ready after a refused creation while creations are refused, however little space was missing', async () => {
    const load = new ParallelLoad(() => service, 'home.example');
    const refused: number[] = [];
    for (let pages = 0; pages < 24; pages += 1) {
      await limitLog(pages * 4_096);
      await load.untilRefused(1);
      // A checkpoint between the refusal and the question lets the log begin at its start again: then there is space.
      if ((await service.readyAnew()) === 503) refused.push(pages);
      else expect([pages, await load.create()]).toEqual([pages, true]);
      limitFiles('unlimited');
      await service.until(async () => (await ready()) === 200);
    }
    expect(refused.length).toBeGreaterThan(18);
    expect(await load.difference()).toEqual(NOTHING_LOST);
  });
});
