import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies, Brand } from './shapes.js';

// The brand of a partner. Without a reference it is the caller's own partner; with one the caller is master.

export function brandQuery(ref?: string) {
  return queryOptions({
    queryKey: keys.brand(ref),
    queryFn: async () =>
      (ref === undefined ? await api.GET('/me/brand') : await api.GET('/partners/{partner_ref}/brand', at(ref)))
        .data as Brand,
  });
}

export const changeBrand = (ref?: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['BrandBody']>) => {
      const put = { body, headers: ifMatch(revision) };
      if (ref === undefined) await api.PUT('/me/brand', put);
      else await api.PUT('/partners/{partner_ref}/brand', { ...at(ref), ...put });
    },
    touches: [keys.brands],
  });

export const removeBrand = (ref?: string) =>
  change({
    run: async () => {
      if (ref === undefined) await api.DELETE('/me/brand');
      else await api.DELETE('/partners/{partner_ref}/brand', at(ref));
    },
    touches: [keys.brands],
  });

function at(ref: string) {
  return { params: { path: { partner_ref: ref } } };
}
