import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. Mounting it requires root. */
export class SmallDisk {
  private readonly ballast: number;

  private constructor(
    readonly path: string,
    ballastFile: string,
  ) {
    this.ballast = openSync(ballastFile, 'a');
  }

  static async mount(sizeMb: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'mailstead-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', path]);
    return new SmallDisk(path, join(path, 'ballast'));
  }

  /** Returns true when this process may mount one. */
  static async isPossible(): Promise<boolean> {
    try {
      await (await SmallDisk.mount(1)).unmount();
      return true;
    } catch {
      return false;
    }
  }

  /** Fills the remaining space, but for the last bytes. */
  fill(rest = 0): void {
    try {
      for (;;) writeSync(this.ballast, Buffer.alloc(4_096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    ftruncateSync(this.ballast, Math.max(0, fstatSync(this.ballast).size - rest));
  }

  /** Frees the space that `fill` used. */
  free(): void {
    ftruncateSync(this.ballast, 0);
  }

  resize(sizeMb: number): void {
    execFileSync('mount', ['-o', `remount,size=${sizeMb}m`, this.path]);
  }

  async unmount(): Promise<void> {
    closeSync(this.ballast);
    execFileSync('umount', [this.path]);
    await rm(this.path, { recursive: true, force: true });
  }
}
