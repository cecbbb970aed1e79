// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';

/** A service that does not end by SIGTERM. */
const SERVICE = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000); console.log('serves');`;
const RUN = `
  import { runApi } from './scripts/foreground.mjs';
  import { main } from './scripts/main.mjs';
  await main(() => runApi([], { stoppedStatus: 0 }));
`;

describe('a service in the foreground', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-foreground-'));
    await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'apps/api/dist'), { recursive: true });
    await writeFile(join(folder, 'apps/api/dist/main.js'), SERVICE);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** @param {string} killAfterSeconds */
  function run(killAfterSeconds) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
      cwd: folder,
      env: { PATH: process.env.PATH, KILL_AFTER_SECONDS: killAfterSeconds },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { text: '' };
    child.stderr.on('data', (chunk) => {
      printed.text += chunk;
    });
    return { child, printed };
  }

  it('is killed KILL_AFTER_SECONDS after a stop signal, and its end is reported', async () => {
    const { child, printed } = run('0.2');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([137, null]);
    expect(printed.text).toBe('The API ended with exit code 137.\n');
  });

  it.each(['soon', '0', '-1', '3601', 'Infinity'])('is not started when KILL_AFTER_SECONDS is "%s"', async (given) => {
    const { child, printed } = run(given);
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.text).toBe('KILL_AFTER_SECONDS: must be seconds, more than 0 and at most 3600\n');
  });
});
