import { AppError } from '@mailstead/core/errors';

/** Counts the open streams of each caller in this process. */
export class OpenStreams {
  private readonly open = new Map<string, number>();

  /** @param caller the key, session or operator @throws AppError too_many_streams */
  begin(caller: string, most: number): void {
    const open = this.open.get(caller) ?? 0;
    if (open >= most) throw new AppError('too_many_streams');
    this.open.set(caller, open + 1);
  }

  end(caller: string): void {
    const left = (this.open.get(caller) ?? 0) - 1;
    if (left > 0) this.open.set(caller, left);
    else this.open.delete(caller);
  }
}
