import { Clock } from '@mailstead/core/clock';

export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
