import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const READY_WITHIN_MS = 20_000;
/** So much of the output is in an error. */
const SHOWN = 2_000;

export const CHILD_MASTER = 'master-token-of-the-processes-0123456789';

/** A process of the built service, as an operator runs it. */
export class ChildService {
  output = '';
  private ended: Promise<number | null>;

  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.ended = once(child, 'exit').then(([code]) => code as number | null);
  }

  /** Starts an app and does not wait for it. */
  static async spawn(app: 'api' | 'worker', environment: Record<string, string>): Promise<ChildService> {
    const port = environment.PORT ?? String(await freePort());
    const child = spawn(process.execPath, [`${ROOT}apps/${app}/dist/main.js`], {
      env: {
        PATH: process.env.PATH,
        PORT: port,
        MASTER_TOKEN: CHILD_MASTER,
        SECRET_KEY: 's'.repeat(40),
        BCRYPT_COST: '4',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ChildService(`http://127.0.0.1:${port}`, child);
  }

  /** Starts the API and waits until it answers. */
  static async start(environment: Record<string, string>): Promise<ChildService> {
    const service = await ChildService.spawn('api', environment);
    await service.until(async () => (await fetch(`${service.url}/health`)).ok);
    return service;
  }

  /** Waits until something holds; an error is "not yet". Fails when the process ended. */
  async until(holds: () => Promise<boolean>, withinMs = READY_WITHIN_MS): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!(await holds().catch(() => false))) {
      if (this.child.exitCode !== null) throw new Error(`The process ended: ${this.output.slice(-SHOWN)}`);
      if (Date.now() > deadline) throw new Error(`Not in time: ${this.output.slice(-SHOWN)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    token = CHILD_MASTER,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a signal that was not handled. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill(signal);
    return this.ended;
  }

  exit(): Promise<number | null> {
    return this.ended;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
