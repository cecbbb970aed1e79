import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildService } from '../testing/child-service.js';

const OTHERS = 0o077;

describe('the files of the embedded mode', () => {
  let folder: string;
  let service: ChildService | undefined;
  let umask: number;

  beforeEach(() => {
    umask = process.umask(0o022);
    folder = mkdtempSync(join(tmpdir(), 'mailstead-files-'));
    chmodSync(folder, 0o755);
  });
  afterEach(async () => {
    process.umask(umask);
    await service?.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async () => {
    // Empty settings count as not set, so that the secrets are generated into files.
    service = await ChildService.start({ DATA_DIR: folder, MASTER_TOKEN: '', SECRET_KEY: '' });
    return service;
  };
  const readableByOthers = () =>
    readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & OTHERS) !== 0);
  const expose = () => {
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  };

  it('are readable only by their owner, although the folder is open and the umask is 022', async () => {
    await start();
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining([
        'lock.sqlite',
        'mailstead.sqlite',
        'mailstead.sqlite-shm',
        'mailstead.sqlite-wal',
        'master-token',
        'secret-key',
      ]),
    );
    expect(readableByOthers()).toEqual([]);
  });

  it('are closed to others at the next start, after an ordinary end and after kill -9', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const first = await start();
      await first.end(signal);
      expose();
      await start();
      expect(readableByOthers()).toEqual([]);
      await service?.end('SIGTERM');
    }
  });

  it('cause a warning about the folder when others can read it, and none when they cannot', async () => {
    const open = await start();
    expect(open.output).toContain('DATA_DIR is open to other users');
    await open.end('SIGTERM');
    chmodSync(folder, 0o700);
    expect((await start()).output).not.toContain('open to other users');
  });
});
