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

/** Runs the built API on a terminal, which `script` of util-linux makes. */
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

  static async start(dataDir: string): Promise<StartedApi> {
    const port = await freePort();
    const command = `'${process.execPath}' '${MAIN}'`;
    const args = ['-qec', command, '/dev/null'];
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), TERM: 'xterm' };
    const api = new StartedApi(`http://127.0.0.1:${port}`, spawn('script', args, { env, detached: true }));
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
  let api: StartedApi | null;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
  });
  afterEach(async () => {
    await api?.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lets in one person as master, and is in no file', async () => {
    api = await StartedApi.start(dataDir);
    const code = LINK.exec(api.output)?.[1] ?? '';
    const [first, second] = [new Browser(api.url), new Browser(api.url)];
    const entered = await Promise.all([first.enter(null, { code }), second.enter(null, { code })]);
    expect(entered.map(({ status }) => String(status)).sort()).toEqual(['201', '401']);
    const inside = entered[0]?.status === 201 ? first : second;
    expect((await inside.send('get', '/me').expect(200)).body).toMatchObject({ kind: 'master', name: 'master' });
    expect((await inside.send('get', '/portal-links').expect(200)).body).toEqual([]);
    expect(JSON.stringify((await inside.send('get', '/audit').expect(200)).body)).not.toContain('link');
    for (const name of await readdir(dataDir)) {
      expect(await readFile(join(dataDir, name), 'latin1')).not.toContain(code);
    }
  });
});
