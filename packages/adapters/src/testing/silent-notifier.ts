import { Notifier } from '@mailstead/core/notifications/notifier';

/** Sends nothing; remembers what it was told. */
export class SilentNotifier extends Notifier {
  readonly notices: [string, unknown][] = [];

  override async notify(type: string, _about: unknown, _at: Date, data: unknown): Promise<void> {
    this.notices.push([type, data]);
  }
}
