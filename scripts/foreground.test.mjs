// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStopTimeoutMs } from './foreground.mjs';
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

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-foreground-'));
    await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'apps/api/dist'), { recursive: true });
    await writeFile(join(folder, 'apps/api/dist/main.js'), SERVICE);
  });
  afterAll(() => rm(folder, { recursive: true }));

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

  it('is not started when KILL_AFTER_SECONDS is wrong', async () => {
    const { child, printed } = run('soon');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.text).toBe('KILL_AFTER_SECONDS: must be seconds, more than 0 and at most 3600\n');
  });

  it.each(['soon', '0', '-1', '3601', 'Infinity'])('has no KILL_AFTER_SECONDS of "%s"', (given) => {
    const sentence = 'KILL_AFTER_SECONDS: must be seconds, more than 0 and at most 3600';
    expect(() => readStopTimeoutMs({ KILL_AFTER_SECONDS: given })).toThrow(sentence);
  });
});

/** Says when it is asked to stop, and then ends as its argument says. */
const COMMAND = `
  const how = process.argv[2];
  if (how !== 'early') for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
    console.log('asked');
    if (how === 'undo') setTimeout(() => { console.error('Stopped; nothing was changed'); process.exit(1); }, 1);
  });
  setInterval(() => undefined, 1_000);
  console.log('works');
`;
const RUN_COMMAND = `
  import { runBuilt } from './built-command.mjs';
  await runBuilt('apps/api/dist/command.js');
`;

describe('a command in the foreground', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-command-'));
    await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'apps/api/dist'), { recursive: true });
    await writeFile(join(folder, 'apps/api/dist/command.js'), COMMAND);
    await writeFile(join(folder, 'scripts/command.mjs'), RUN_COMMAND);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** @param {string} how */
  function run(how) {
    const child = spawn(process.execPath, ['scripts/command.mjs', how], {
      cwd: folder,
      // A command may need longer to remove what it began than the service to end.
      env: { PATH: process.env.PATH, KILL_AFTER_SECONDS: '0.001' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { text: '' };
    child.stderr.on('data', (chunk) => {
      printed.text += chunk;
    });
    return { child, printed };
  }

  it('says one sentence after a request to stop, its own', async () => {
    const { child, printed } = run('undo');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.text).toBe('Stopped; nothing was changed\n');
  });

  it('that was stopped before it could say so ends with 1 and one sentence', async () => {
    const { child, printed } = run('early');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.text).toBe('Stopped by SIGINT; nothing was changed\n');
  });

  it('that does not end is killed by a later request to stop, not by the first one', async () => {
    const { child, printed } = run('never');
    await once(child.stdout, 'data');
    const ended = once(child, 'close');
    let isAsked = true;
    for (let requests = 0; isAsked; requests += 1) {
      child.kill('SIGTERM');
      isAsked = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
      if (requests === 0) expect(isAsked).toBe(true);
    }
    expect(await ended).toEqual([1, null]);
    expect(printed.text).toBe('Killed before it could remove what it began\n');
  });
});
