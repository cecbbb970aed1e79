import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';

/**
 * Keeps a process unready, and its jobs waiting, while derived rows may still be those of other declarations: until the
 * first comparison after a changed schema or declaration has ended (`DerivedComparison`).
 */
@needs()
export class DerivedCheck extends HealthCheck {
  override readonly name = 'derived_rows';
  override readonly isKnown = true;
  private waiting = false;
  private readonly listeners: (() => void)[] = [];

  get isWaiting(): boolean {
    return this.waiting;
  }

  /** Calls `listener` when the comparison for which this process waits has ended. */
  onEnded(listener: () => void): void {
    this.listeners.push(listener);
  }

  begin(): void {
    this.waiting = true;
  }

  end(): void {
    if (!this.waiting) return;
    this.waiting = false;
    for (const listener of this.listeners) listener();
  }

  override async problem(): Promise<string | null> {
    return this.waiting ? 'What the mail servers read is compared with its sources, once after a changed schema' : null;
  }
}
