import { AppError } from '@mailstead/core/errors';
import type { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { domainNameParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import { timestampOrNull } from '../http/timestamp.js';
import { RetentionPreviewResponse } from './retention-dto.js';

/** @param use.purge null when no mail store is set. */
export function retentionController(use: { purge: PurgeRetention | null }): Route[] {
  return [
    route({
      method: 'post',
      path: '/domains/:domain_name/retention/preview',
      access: 'master',
      summary: 'Tell what the next purge of a domain would remove; nothing is removed',
      response: RetentionPreviewResponse,
      run: async ({ params }): Promise<RetentionPreviewResponse> => {
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
