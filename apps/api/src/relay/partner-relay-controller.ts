import { needs } from '@mailstead/core/needs';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type PartnerRelay, SetRelayStatus } from '@mailstead/core/relay/tenants/set-relay-status';
import { onlyField } from '../http/body-fields.js';
import { partnerRefParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { PartnerRelayBody, PartnerRelayResponse } from './partner-relay-dto.js';

const PATH = '/partners/:partner_ref/relay';

/** The tenant of a partner at the relay provider. */
@needs(SetRelayStatus)
export class PartnerRelayController implements Controller {
  constructor(private readonly setRelayStatus: SetRelayStatus) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: PATH,
        access: 'master',
        summary: 'Read whether the relay provider sends mail of a partner',
        response: PartnerRelayResponse,
        run: async ({ params }) => {
          const ref = partnerRefParam(params.partner_ref);
          return present(ref, await this.setRelayStatus.read(ref));
        },
      }),
      route({
        method: 'put',
        path: PATH,
        access: 'master',
        summary: 'Pause or resume the mail of a partner at the relay provider',
        description:
          'A job does it there, and `relay_status` changes when the provider has confirmed it. With `active`, mail leaves although the provider has a finding about the partner, unless the provider itself refuses. While it is paused, messages get the verdict `relay_paused` and what is queued waits.',
        body: PartnerRelayBody,
        response: PartnerRelayResponse,
        status: 202,
        errors: ['no_tenant'],
        run: async ({ actor, params, body }) => {
          const ref = partnerRefParam(params.partner_ref);
          return present(ref, await this.setRelayStatus.execute(actor, ref, onlyField(body, 'status')));
        },
      }),
    ];
  }
}

function present(ref: PartnerRef, { tenant, revision }: PartnerRelay): PartnerRelayResponse {
  return {
    partner_ref: ref,
    tenant: tenant?.name ?? null,
    relay_status: tenant?.status ?? null,
    wanted: tenant?.wanted ?? null,
    cause: tenant?.cause ?? null,
    revision,
  };
}
