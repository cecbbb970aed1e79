import { Notifier } from '@mailstead/core/notifications/notifier';

/** Sends no notifications. Keeps them in `notices` for tests. */
export class SilentNotifier extends Notifier {
  readonly notices: [string, unknown][] = [];

  override async notify(type: string, _about: unknown, _at: Date, data: unknown): Promise<void> {
    this.notices.push([type, data]);
  }
}
