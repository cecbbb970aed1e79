import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChildService } from '../testing/child-service.js';
import { SmallDisk } from '../testing/small-disk.js';
import { Storm } from '../testing/storm.js';

/** Mounting needs root; `full-disk.test.ts` shows the same with a database that must not grow. */
const suite = (await SmallDisk.isPossible()) ? describe : describe.skip;
const NOTHING_LOST = { lost: [], unexpected: [], counted: 0 };

suite('the service with its embedded database on a small disk', () => {
  let disk: SmallDisk;
  let service: ChildService;
  let storm: Storm;

  const start = async () => {
    service = await ChildService.start({ DATA_DIR: join(disk.path, 'data'), LOG_LEVEL: 'warn' });
  };
  const ready = async () => (await service.call('GET', '/health/ready')).status;

  beforeEach(async () => {
    disk = await SmallDisk.mount(5);
    await start();
    await service.call('POST', '/domains/', { name: 'home.example' });
    storm = new Storm(() => service, 'home.example');
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await disk.unmount();
  });

  it('loses nothing that it acknowledged while the disk is full again and again, and never restarts', async () => {
    for (const sizeMb of [6, 7, 9, 14]) {
      await storm.untilRefused(200);
      expect(await ready()).toBe(503);
      expect((await service.call('GET', '/domains/home.example')).status).toBe(200);
      expect(await storm.difference()).toEqual(NOTHING_LOST);
      disk.resize(sizeMb);
      await service.until(async () => (await ready()) === 200);
    }
    expect((await service.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
    expect(await storm.difference()).toEqual(NOTHING_LOST);
    expect([...storm.refused.keys()]).toEqual([503]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'starts again on the full disk after %s, and has everything',
    async (signal) => {
      await storm.untilRefused(200);
      disk.fill();
      await service.end(signal);
      await start();
      expect(await storm.difference()).toEqual(NOTHING_LOST);
      await storm.untilRefused(20);
      expect(await ready()).toBe(503);
      disk.free();
      disk.resize(8);
      await service.until(async () => (await ready()) === 200);
      expect((await service.call('POST', '/domains/', { name: 'after.example' })).status).toBe(201);
      expect(await storm.difference()).toEqual(NOTHING_LOST);
      expect([...storm.refused.keys()]).toEqual([503]);
    },
  );

  it('says in one sentence that there is no room for the first start', async () => {
    disk.free();
    const first = await SmallDisk.mount(1);
    try {
      mkdirSync(join(first.path, 'data'));
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
