import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const STARTS_WITHIN_MS = 30_000;

/** One process of the built Mailstead (`apps/<name>/dist/main.js`), started as an operator starts it. */
export class MailsteadProcess {
  private child: ChildProcess | null = null;

  constructor(
    private readonly name: string,
    /** Gets its log and its pid file. */
    private readonly folder: string,
    /** All that the process sees of the environment, besides PATH. */
    private readonly environment: Record<string, string>,
    /** Whether it does its work already; an error is "not yet". */
    private readonly isReady: () => Promise<boolean>,
  ) {}

  /** For the reaper: who runs, or ran, under this name. */
  static pidFile(folder: string, name: string): string {
    return join(folder, `${name}.pid`);
  }

  /**
   * Starts it, also again, with an empty log, and waits until it is ready. Throws with its log when it ends instead.
   */
  async start(): Promise<void> {
    const log = await open(this.logFile, 'w');
    const child = spawn(process.execPath, [`${ROOT}apps/${this.name}/dist/main.js`], {
      env: { PATH: process.env.PATH, ...this.environment },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    this.child = child;
    await writeFile(MailsteadProcess.pidFile(this.folder, this.name), String(child.pid));
    await until(
      `${this.name} to be ready`,
      async () => {
        if (child.exitCode !== null) throw new Error(`${this.name} ended: ${await this.log()}`);
        return await this.isReady().catch(() => false);
      },
      STARTS_WITHIN_MS,
    );
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends it in an orderly way. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  async log(): Promise<string> {
    return await readFile(this.logFile, 'utf8').catch(() => '');
  }

  private get logFile(): string {
    return join(this.folder, `${this.name}.log`);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
