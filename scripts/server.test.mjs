// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, HIGHEST_PORT, LOWEST_PORT, reserve } from './free-port.mjs';
import { Server, startOnFreePort } from './server.mjs';

const LISTENS =
  'require("node:net").createServer((socket) => socket.end("ready")).listen(process.env.TRY_PORT, "127.0.0.1")';

/** @param {number} port */
async function answers(port) {
  const { createConnection } = await import('node:net');
  const socket = createConnection({ host: '127.0.0.1', port });
  const answered = await Promise.race([once(socket, 'data'), once(socket, 'close')]).then(
    ([bytes]) => String(bytes) === 'ready',
    () => false,
  );
  socket.destroy();
  return answered;
}

describe('a server of the tests', () => {
  let folder = '';
  /** @type {Server[]} */
  let servers = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-server-'));
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    servers = [];
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * @param {string} program
   * @param {number} port
   * @param {Partial<import('./server.mjs').ServerOptions>} [options]
   */
  function serverOf(program, port, options = {}) {
    const server = new Server({
      name: 'Example',
      command: process.execPath,
      args: ['-e', program],
      env: { TRY_PORT: String(port) },
      logFile: join(folder, 'log'),
      port,
      isReady: answers,
      ...options,
    });
    servers.push(server);
    return server;
  }

  it('is started when it responds, and restarts on the same port after a stop and after a kill', async () => {
    const server = serverOf(LISTENS, await freePort());
    await server.start();
    const first = server.pid;
    await server.restart();
    expect(server.pid).not.toBe(first);
    await server.kill();
    expect(server.pid).toBeUndefined();
    expect(await answers(server.port)).toBe(false);
    await server.start();
    expect(await answers(server.port)).toBe(true);
  });

  it('fails with its name and the end of its log when it ends before it responds', async () => {
    const server = serverOf('console.error("unknown option --colour"); process.exit(7)', await freePort());
    await expect(server.start()).rejects.toThrow(/^Example did not start:\n[^]*unknown option --colour/);
    expect(server.pid).toBeUndefined();
  });

  it('fails with its name when it cannot be run', async () => {
    const server = serverOf(LISTENS, await freePort(), { name: 'Missing', command: join(folder, 'no-such-program') });
    await expect(server.start()).rejects.toThrow('Missing did not start');
  });

  it('fails when another server has its port', async () => {
    const other = createServer((socket) => socket.end('ready')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
    // The other server responds only after this one has failed.
    const isReady = async () => server.pid === undefined && (await answers(port));
    const server = serverOf(LISTENS, port, { isReady });
    await expect(server.start()).rejects.toThrow(/EADDRINUSE/);
    await once(other.close(), 'close');
  });
});

describe('a free port', () => {
  it('is below the ports that Linux uses for outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(LOWEST_PORT);
      expect(port).toBeLessThan(HIGHEST_PORT);
    }
    expect(HIGHEST_PORT).toBeLessThanOrEqual(32_768);
  });

  it('is not chosen by another process, until the one that chose it has ended', async () => {
    const program = `
      import { freePort } from ${JSON.stringify(new URL('free-port.mjs', import.meta.url).href)};
      console.log(await freePort());
      process.stdin.resume();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const end = once(child, 'exit');
    const [said] = await once(child.stdout, 'data');
    const port = Number(said);
    expect(port).toBeGreaterThanOrEqual(LOWEST_PORT);
    expect(await reserve(port)).toBe(false);
    child.kill('SIGKILL');
    await end;
    expect(await reserve(port)).toBe(true);
    expect(await reserve(port)).toBe(false);
  });

  it('is replaced when it was taken meanwhile, at most three times', async () => {
    const taken = new Error('listen: address already in use');
    let attempts = 0;
    const start = async () => {
      attempts += 1;
      if (attempts < 3) throw taken;
      return 'started';
    };
    expect(await startOnFreePort(start)).toBe('started');
    attempts = -10;
    await expect(startOnFreePort(start)).rejects.toBe(taken);
    expect(attempts).toBe(-7);
    const broken = new Error('no such file');
    await expect(startOnFreePort(() => Promise.reject(broken))).rejects.toBe(broken);
  });
});
