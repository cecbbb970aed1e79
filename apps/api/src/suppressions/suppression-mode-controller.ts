import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { SetSuppressionMode } from '@mailstead/core/suppressions/set-suppression-mode';
import { onlyField } from '../http/body-fields.js';
import { partnerRefParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { presentMode, SuppressionModeBody, SuppressionModeResponse } from './suppressions-dto.js';

const SUMMARY = {
  get: 'Read whether suppressed recipients are refused',
  put: 'Say whether suppressed recipients are refused',
};
const OF_PARTNER = 'of a partner';

/** What the suppressions of a partner do. */
@needs(SetSuppressionMode)
export class SuppressionModeController implements Controller {
  constructor(private readonly setMode: SetSuppressionMode) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me/suppressions',
        access: 'key',
        readKeys: true,
        summary: SUMMARY.get,
        response: SuppressionModeResponse,
        run: async ({ actor }) => presentMode(await this.setMode.read(ownRef(actor))),
      }),
      route({
        method: 'put',
        path: '/me/suppressions',
        access: 'key',
        summary: SUMMARY.put,
        body: SuppressionModeBody,
        response: SuppressionModeResponse,
        run: async ({ actor, body }) =>
          presentMode(await this.setMode.execute(actor, ownRef(actor), onlyField(body, 'mode'))),
      }),
      route({
        method: 'get',
        path: '/partners/:partner_ref/suppressions',
        access: 'master',
        summary: `${SUMMARY.get}, ${OF_PARTNER}`,
        response: SuppressionModeResponse,
        run: async ({ params }) => presentMode(await this.setMode.read(partnerRefParam(params.partner_ref))),
      }),
      route({
        method: 'put',
        path: '/partners/:partner_ref/suppressions',
        access: 'master',
        summary: `${SUMMARY.put}, ${OF_PARTNER}`,
        body: SuppressionModeBody,
        response: SuppressionModeResponse,
        run: async ({ actor, params, body }) =>
          presentMode(await this.setMode.execute(actor, partnerRefParam(params.partner_ref), onlyField(body, 'mode'))),
      }),
    ];
  }
}

/** @throws AppError client_token_required for operators, who name a partner */
function ownRef(actor: Actor): PartnerRef {
  if (actor.kind !== 'client' || actor.partnerRef === null) throw new AppError('client_token_required');
  return actor.partnerRef;
}
