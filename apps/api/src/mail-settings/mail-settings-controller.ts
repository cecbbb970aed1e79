import type { MailSettings } from '@mailstead/adapters/mail-settings';
import { type Controller, type Route, route } from '../http/route.js';
import { MailSettingsResponse } from './mail-settings-dto.js';

export class MailSettingsController implements Controller {
  constructor(private readonly settings: MailSettings) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/mail-settings',
        access: 'any',
        summary: 'Read the servers that mail programs are set up with',
        response: MailSettingsResponse,
        run: () => this.settings,
      }),
    ];
  }
}
