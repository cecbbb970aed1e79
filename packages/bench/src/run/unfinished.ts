import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The finished steps of runs that have not reached their end, so that the same command goes on with the next step. */
export class Unfinished {
  /**
   * @param file need not exist
   * @param asked what the command was asked for
   */
  constructor(
    private readonly file: string,
    private readonly asked: string,
  ) {}

  /** The names of the finished steps. */
  get finished(): readonly string[] {
    return this.read()[this.asked] ?? [];
  }

  finish(step: string): void {
    this.write([...this.finished, step]);
  }

  /** The next run begins with the first step. */
  forget(): void {
    this.write(undefined);
  }

  private read(): Record<string, string[] | undefined> {
    if (!existsSync(this.file)) return {};
    return JSON.parse(readFileSync(this.file, 'utf8')) as Record<string, string[] | undefined>;
  }

  private write(steps: string[] | undefined): void {
    const runs = { ...this.read(), [this.asked]: steps };
    if (Object.values(runs).every((each) => each === undefined)) {
      rmSync(this.file, { force: true });
      return;
    }
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(runs, null, 2));
  }
}
