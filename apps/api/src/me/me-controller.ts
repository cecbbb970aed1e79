import { needs } from '@mailstead/core/needs';
import { type Controller, type Route, route } from '../http/route.js';
import { DescribeCaller } from './describe-caller.js';
import { MeResponse } from './me-dto.js';

@needs(DescribeCaller)
export class MeController implements Controller {
  constructor(private readonly describeCaller: DescribeCaller) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me',
        access: 'any',
        dnsLink: true,
        summary: 'Read the caller of the token, its limits and its usage',
        response: MeResponse,
        run: ({ actor }) => this.describeCaller.execute(actor),
      }),
    ];
  }
}
