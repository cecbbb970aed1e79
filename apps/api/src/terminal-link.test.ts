import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@mailstead/core/testing/until';
import { freePort } from '../../../scripts/free-port.mjs';
import { Browser } from './testing/browser.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const LINK = /http:\/\/127\.0\.0\.1:\d+\/portal\/enter#code=([A-Za-z0-9_-]{43})/;

/** Runs the built API, on a terminal (`script` of util-linux makes one) or with a pipe as its output. */
class StartedApi {
  output = '';

  private constructor(
    readonly url: string,
    private readonly child: ReturnType<typeof spawn>,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
  }

  static async start(dataDir: string, isTerminal: boolean): Promise<StartedApi> {
    const port = await freePort();
    const command = `'${process.execPath}' '${MAIN}'`;
    const program = isTerminal ? 'script' : process.execPath;
    const args = isTerminal ? ['-qec', command, '/dev/null'] : [MAIN];
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), TERM: 'xterm' };
    const api = new StartedApi(`http://127.0.0.1:${port}`, spawn(program, args, { env, detached: true }));
    await until('the master token', () => api.output.includes('The master token is'));
    return api;
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    process.kill(-Number(this.child.pid), 'SIGTERM');
    await ended;
  }
}

describe('the link that the start prints on a terminal', () => {
  let dataDir: string;
  let onTerminal: StartedApi;
  let inPipe: StartedApi;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    [onTerminal, inPipe] = await Promise.all([
      StartedApi.start(join(dataDir, 'terminal'), true),
      StartedApi.start(join(dataDir, 'pipe'), false),
    ]);
  });
  afterAll(async () => {
    await Promise.all([onTerminal.end(), inPipe.end()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lets in one person as master, and is in no file', async () => {
    const code = LINK.exec(onTerminal.output)?.[1] ?? '';
    const [first, second] = [new Browser(onTerminal.url), new Browser(onTerminal.url)];
    const entered = await Promise.all([first.enter(null, { code }), second.enter(null, { code })]);
    expect(entered.map(({ status }) => String(status)).sort()).toEqual(['201', '401']);
    const inside = entered[0]?.status === 201 ? first : second;
    expect((await inside.send('get', '/me').expect(200)).body).toMatchObject({ kind: 'master', name: 'master' });
    expect((await inside.send('get', '/portal-links').expect(200)).body).toEqual([]);
    expect(JSON.stringify((await inside.send('get', '/audit').expect(200)).body)).not.toContain('link');
    const files = await readdir(join(dataDir, 'terminal'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      expect(await readFile(join(dataDir, 'terminal', name), 'latin1')).not.toContain(code);
    }
  });

  it('is not printed into a pipe', () => {
    expect(inPipe.output).toContain('/portal/\n');
    expect(inPipe.output).not.toContain('code=');
  });
});
