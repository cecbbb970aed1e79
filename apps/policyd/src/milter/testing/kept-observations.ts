import { type DecidedMessage, MilterObserver } from '../milter-observer.js';

/** Stores the events of the milter. */
export class KeptObservations extends MilterObserver {
  readonly messages: DecidedMessage[] = [];
  readonly cuts: string[] = [];

  override decided(message: DecidedMessage): void {
    this.messages.push(message);
  }

  override cut(reason: string): void {
    this.cuts.push(reason);
  }
}
