import { Config } from '@mailstead/adapters/config';
import { examplesOf, unsetMailServers } from '@mailstead/adapters/example-values';
import { mailSettingsOf } from '@mailstead/adapters/mail-settings';
import { needs } from '@mailstead/core/needs';
import { type Controller, type Route, route } from '../http/route.js';
import { MailSettingsResponse } from './mail-settings-dto.js';

@needs(Config)
export class MailSettingsController implements Controller {
  constructor(private readonly config: Readonly<Config>) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/mail-settings',
        access: 'any',
        summary: 'Read the servers that mail programs are set up with',
        response: MailSettingsResponse,
        run: ({ actor }): MailSettingsResponse => {
          const examples = examplesOf(this.config);
          return {
            ...(examples === null ? mailSettingsOf(this.config) : { ...examples.mailSettings, example: true }),
            ...(actor.kind === 'master' ? { unset: unsetMailServers(this.config) } : {}),
          };
        },
      }),
    ];
  }
}
