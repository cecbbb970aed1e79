import { AppError } from '@mailstead/core/errors';
import type { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { Integer, Text, Time } from '../http/fields.js';
import { domainNameParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import { timestampOrNull } from '../http/timestamp.js';

class ResetPreviewResponse {
  @Text() name!: string;
  @Time({ nullable: true, description: 'What was saved before it would go; null when nothing would' }) saved_before!:
    | string
    | null;
  @Integer() messages!: number;
  @Integer() bytes!: number;
}

/** @param use.purge null when no mail store is set. */
export function retentionController(use: { purge: PurgeRetention | null }): Route[] {
  return [
    route({
      method: 'post',
      path: '/domains/:domain_name/retention/preview',
      access: 'master',
      summary: 'Tell what the next purge of a domain would remove; nothing is removed',
      response: ResetPreviewResponse,
      run: async ({ params }): Promise<ResetPreviewResponse> => {
        const name = domainNameParam(params.domain_name);
        if (use.purge === null)
          throw new AppError('mail_store_unavailable', {
            detail: 'MAIL_STORE is not set, so there is no stored mail to look at',
          });
        const { savedBefore, messages, bytes } = await use.purge.preview(name);
        return { name, saved_before: timestampOrNull(savedBefore), messages, bytes };
      },
    }),
  ];
}
