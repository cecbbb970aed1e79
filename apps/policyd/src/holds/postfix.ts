import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runCommand } from '../run-command.js';

const LIFETIMES = ['maximal_queue_lifetime', 'bounce_queue_lifetime'];
const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const COMMAND_TIMEOUT_MS = 120_000;

/** The commands of one instance of Postfix. */
export class Postfix {
  constructor(private readonly configDirectory: string) {}

  async queueDirectory(): Promise<string> {
    return (await this.run('postconf', ['-h', 'queue_directory'])).trim();
  }

  /** The shorter one of the lifetimes of messages and of notices, seconds. */
  async lifetime(): Promise<number> {
    const texts = (await this.run('postconf', ['-xh', ...LIFETIMES])).trim().split('\n');
    return Math.min(...texts.map(secondsOf));
  }

  /**
   * The lines of `postqueue -j`, read as fast as they are used.
   *
   * @throws Error when the queue cannot be read to its end
   */
  async *queueLines(): AsyncGenerator<string> {
    const child = spawn('postqueue', ['-c', this.configDirectory, '-j'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-1_000);
    });
    const ended = once(child, 'close');
    // A program that cannot be started: Node ends the process when nobody hears of it while lines are read.
    ended.catch(() => undefined);
    try {
      for await (const line of createInterface({ input: child.stdout })) if (line !== '') yield line;
      const [code] = (await ended) as [number | null];
      if (code !== 0) throw new Error(`postqueue failed: ${complaint.trim()}`);
    } finally {
      child.kill();
      await ended.catch(() => undefined);
    }
  }

  /** Puts deferred messages on hold. A message that left this queue meanwhile is passed over. */
  async hold(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.run('postsuper', ['-h', '-', 'deferred'], ids);
  }

  async release(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.run('postsuper', ['-H', '-'], ids);
  }

  private async run(program: string, args: readonly string[], input: readonly string[] = []): Promise<string> {
    return await runCommand(program, ['-c', this.configDirectory, ...args], COMMAND_TIMEOUT_MS, input);
  }
}

/** A time of Postfix, such as `5d`; days without a unit. */
function secondsOf(text: string): number {
  const [, digits, unit] = /^(\d+)([smhdw]?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw new Error(`Postfix has the lifetime "${text}", which is no time`);
  return Number(digits) * (SECONDS[unit || 'd'] ?? 1);
}
