import type { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { Integer, Text, Time } from '../http/fields.js';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestampOrNull } from '../http/timestamp.js';

class ResetPreviewResponse {
  @Text() name!: string;
  @Time({ nullable: true, description: 'What was saved before it would go; null when nothing would' }) saved_before!:
    | string
    | null;
  @Integer() messages!: number;
  @Integer() bytes!: number;
}

export class RetentionController implements Controller {
  constructor(private readonly purge: PurgeRetention) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/domains/:domain_name/retention/preview',
        access: 'master',
        summary: 'Tell what the next purge of a domain would remove; nothing is removed',
        response: ResetPreviewResponse,
        run: async ({ params }): Promise<ResetPreviewResponse> => {
          const name = domainNameParam(params.domain_name);
          const { savedBefore, messages, bytes } = await this.purge.preview(name);
          return { name, saved_before: timestampOrNull(savedBefore), messages, bytes };
        },
      }),
    ];
  }
}
