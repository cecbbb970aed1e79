import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const READY_WITHIN_MS = 20_000;
/** So much of the output is in an error. */
const SHOWN = 2_000;

/** A built program of the repository, as an operator runs it. */
export class Child {
  output = '';
  readonly process: ChildProcess;
  private readonly ended: Promise<number | null>;

  /** @param environment all that it sees of the environment, besides PATH. */
  constructor(app: 'api' | 'worker' | 'policyd', environment: Record<string, string>) {
    this.process = spawn(process.execPath, [`${ROOT}apps/${app}/dist/main.js`], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.ended = once(this.process, 'exit').then(([code]) => code as number | null);
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits until the program said this. */
  async said(words: string): Promise<void> {
    await this.until(async () => this.output.includes(words));
  }

  /** Waits until something holds; an error is "not yet". Fails when the process ended. */
  async until(holds: () => Promise<boolean>, withinMs = READY_WITHIN_MS): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!(await holds().catch(() => false))) {
      if (this.process.exitCode !== null) throw new Error(`The process ended: ${this.output.slice(-SHOWN)}`);
      if (Date.now() > deadline) throw new Error(`Not in time: ${this.output.slice(-SHOWN)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a signal that was not handled. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode === null) this.process.kill(signal);
    return this.ended;
  }

  exit(): Promise<number | null> {
    return this.ended;
  }
}

/** A port that nobody listens on, and that Linux gives to no outgoing connection (those are from 32,768 on). */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    await once(server.close(), 'close');
    return port;
  }
}
