import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** One process of the built Mailstead. */
export class MailsteadProcess {
  private child: ChildProcess | null = null;

  constructor(
    private readonly name: string,
    /** The folder for the log and the pid file. */
    private readonly folder: string,
    /** The process's whole environment except PATH. */
    private readonly environment: Record<string, string>,
    /** Returns true when the process is ready. An error counts as false. */
    private readonly isReady: () => Promise<boolean>,
    private readonly program = `${ROOT}apps/${name}/dist/main.js`,
  ) {}

  /** Returns the pid file of a process, for the reaper. */
  static pidFile(folder: string, name: string): string {
    return join(folder, `${name}.pid`);
  }

  /**
   * Starts or restarts the process with an empty log, and waits until it is ready.
   *
   * @throws Error with the log when the process ends before.
   */
  async start(): Promise<void> {
    const log = await open(this.logFile, 'w');
    const child = spawn(process.execPath, [this.program], {
      env: { PATH: process.env.PATH, ...this.environment },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    this.child = child;
    await writeFile(MailsteadProcess.pidFile(this.folder, this.name), String(child.pid));
    await until(`${this.name} to be ready`, async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended: ${await this.log()}`);
      return await this.isReady().catch(() => false);
    });
  }

  /** Ends the process with SIGKILL. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends the process with SIGTERM. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** Stops the process (SIGSTOP) until `continue`: it keeps its connections and answers nothing. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  continue(): void {
    this.child?.kill('SIGCONT');
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
