import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEADLINE_FACTOR, PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { pauseWhen } from './pause-when.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The number of characters of the output that an error shows. */
const SHOWN = 2_000;

/** A program that a test started. */
export interface Program {
  /** Waits until the condition is true; an error counts as false. */
  until(holds: () => Promise<boolean>): Promise<void>;
  end(signal: NodeJS.Signals): Promise<unknown>;
}

/** A built program of the repository, started as an operator starts it. */
export class Child implements Program {
  output = '';
  readonly process: ChildProcess;
  private readonly ended: Promise<number | null>;

  /**
   * @param environment the environment of the program; only PATH and the factor of deadlines are added.
   * @param root the folder of the repository, or of a build of another release; ends with a slash
   */
  constructor(
    app: 'api' | 'worker' | 'policyd' | 'billing',
    environment: Record<string, string>,
    args: readonly string[] = [],
    root = ROOT,
  ) {
    this.process = spawn(process.execPath, [`${root}apps/${app}/dist/main.js`, ...args], {
      env: { PATH: process.env.PATH, DEADLINE_FACTOR: String(DEADLINE_FACTOR), ...environment },
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

  /** Waits until the output contains the text. */
  async said(words: string): Promise<void> {
    await this.until(async () => this.output.includes(words));
  }

  /** Waits until the condition is true; an error counts as false. Throws when the process ended. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await holds().catch(() => false))) {
      if (this.process.exitCode !== null) throw new Error(`The process ended: ${this.output.slice(-SHOWN)}`);
      if (Date.now() > deadline) throw new Error(`Not in time: ${this.output.slice(-SHOWN)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Pauses the process at the moment at which the condition begins to hold. */
  pauseWhen(what: string, holds: () => Promise<boolean>): Promise<void> {
    return pauseWhen(this.process, what, holds);
  }

  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode === null) this.process.kill(signal);
    return this.ended;
  }

  exit(): Promise<number | null> {
    return this.ended;
  }
}
