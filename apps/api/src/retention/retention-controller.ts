import { needs } from '@mailstead/core/needs';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestampOrNull } from '../http/timestamp.js';
import { RetentionPreviewResponse } from './retention-dto.js';

@needs(PurgeRetention)
export class RetentionController implements Controller {
  constructor(private readonly purge: PurgeRetention) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/domains/:domain_name/retention/preview',
        access: 'master',
        summary: 'Preview what the next purge of a domain would remove',
        errors: ['mail_store_unavailable'],
        response: RetentionPreviewResponse,
        run: async ({ params }): Promise<RetentionPreviewResponse> => {
          const name = domainNameParam(params.domain_name);
          const { savedBefore, messages, bytes } = await this.purge.preview(name);
          return { name, saved_before: timestampOrNull(savedBefore), messages, bytes };
        },
      }),
    ];
  }
}
