import { until } from '@mailstead/core/testing/until';
import type { Server } from '../../../../../scripts/server.mjs';

/** The kinds of processes in the cluster. */
export const KINDS = [
  'written database node',
  'other database node',
  'HAProxy',
  'Redis primary',
  'sentinel',
  'API',
  'worker',
  'policy daemon',
] as const;
export type Kind = (typeof KINDS)[number];
export type Fault = 'killed' | 'frozen';

const STARTS = 3;

/** A process that is killed or frozen, and comes back. */
export class Part {
  constructor(
    readonly name: string,
    readonly server: Server,
    private readonly isWell: () => Promise<boolean>,
  ) {}

  async fail(fault: Fault): Promise<void> {
    if (fault === 'killed') await this.server.kill();
    else process.kill(this.pid, 'SIGSTOP');
  }

  /** @throws Error when it does not work again in time */
  async comeBack(fault: Fault): Promise<void> {
    if (fault === 'killed') await this.start();
    else process.kill(this.pid, 'SIGCONT');
    await until(`${this.name} to work again`, this.isWell);
  }

  /** As a supervisor does, also when it ends at once: HAProxy may close its connection at a switch of the database. */
  private async start(starts = STARTS): Promise<void> {
    try {
      await this.server.start();
    } catch (error) {
      if (starts === 1) throw error;
      await this.start(starts - 1);
    }
  }

  private get pid(): number {
    if (this.server.pid === undefined) throw new Error(`${this.name} does not run`);
    return this.server.pid;
  }
}
