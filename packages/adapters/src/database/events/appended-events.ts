import { needs } from '@mailstead/core/needs';
/** Tells this process that it committed events, so that they get their positions at once. */
@needs()
export class AppendedEvents {
  private listener: () => void = () => undefined;

  /** Replaces the listener. */
  listen(listener: () => void): void {
    this.listener = listener;
  }

  /** Call it after the commit. */
  note(): void {
    this.listener();
  }
}
