// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitCode } from './processes.mjs';
import { PATIENCE_MS } from './test-timeout.mjs';

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));

/**
 * Runs a module in Node; it may import the scripts by `./`.
 * @param {string} source
 */
function run(source) {
  const args = ['--input-type=module', '-e', source.replaceAll("'./", `'${SCRIPTS}`)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
}

/** @param {() => boolean} holds */
async function until(holds) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('Not in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Returns false also for a zombie, which remains when the container's first process does not wait for its children.
 * @param {number} pid
 */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

describe('processes and folders of a script', () => {
  it('are removed when the script ends or is killed, including grandchildren', async () => {
    const script = run(`
      import { mkdtempSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { guardFolder, spawnGroup } from './processes.mjs';
      const folder = mkdtempSync(tmpdir() + '/mailstead-guard-');
      guardFolder(folder);
      const sleep = 'setInterval(() => undefined, 1000)';
      const program = 'const { pid } = require("node:child_process").spawn(process.execPath, ["-e", ' +
        JSON.stringify(sleep) + ']); console.log(pid);' + sleep;
      const child = spawnGroup(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.once('data', (text) => console.log(JSON.stringify([folder, child.pid, Number(text)])));
    `);
    const [line] = await once(script.stdout, 'data');
    /** @type {[string, number, number]} */
    const [folder, child, grandchild] = JSON.parse(String(line));
    try {
      expect([existsSync(folder), isRunning(child), isRunning(grandchild)]).toEqual([true, true, true]);
      script.kill('SIGKILL');
      await until(() => !existsSync(folder) && !isRunning(child) && !isRunning(grandchild));
    } finally {
      for (const pid of [child, grandchild]) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });
});

describe('a script', () => {
  it('ends with a message and its status, without a stack trace, after a Stop', async () => {
    const script = run(`
      import { main, Stop } from './main.mjs';
      await main(async () => { throw new Stop('The build failed.', 3); });
    `);
    let output = '';
    script.stderr.on('data', (text) => {
      output += text;
    });
    expect(await once(script, 'close')).toEqual([3, null]);
    expect(output).toBe('The build failed.\n');
  });

  it('prints the usage when the command of services.mjs is missing', async () => {
    const script = spawn(process.execPath, [`${SCRIPTS}services.mjs`, 'jest'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [text] = await once(script.stderr, 'data');
    expect(String(text)).toMatch(/^Usage: node scripts\/services\.mjs -- command/);
    expect(await once(script, 'exit')).toEqual([2, null]);
  });

  it('returns the exit code of a shell for an end by a signal', () => {
    expect(exitCode(5, null)).toBe(5);
    expect(exitCode(null, 'SIGKILL')).toBe(137);
    expect(exitCode(null, 'SIGTERM')).toBe(143);
  });
});
