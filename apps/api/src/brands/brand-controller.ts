import { Brand } from '@mailstead/core/brands/brand';
import { BrandRepository } from '@mailstead/core/brands/brand-repository';
import { ChangeBrand, type RevisedBrand } from '@mailstead/core/brands/change-brand';
import { StoredLogos } from '@mailstead/core/brands/stored-logos';
import { AppError, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { partnerRefParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { BrandBody, BrandResponse, presentBrand } from './brand-dto.js';
import { brandChangesOf } from './brand-fields.js';

const SHOWN =
  'Customers who come by a link see it: `brand` of `GET /me` and of `POST /sessions/preview`. No other path serves the logo.';
const LOGO =
  'A field that is left out stays; null clears it. The service writes the logo anew, or refuses it with `logo_not_safe`: a PNG keeps its pixels, palette and transparency; an SVG may have shapes, gradients and references to them, loses dashes and clip paths, has bounds of its points and of how far they reach, and neither a document type nor scripts, texts, styles with `url()`, or anything of another file.';

/** The brand of a partner: by its own keys, and by master. */
@needs(PartnerRepository, BrandRepository, ChangeBrand, StoredLogos)
export class BrandController implements Controller {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly brands: BrandRepository,
    private readonly changeBrand: ChangeBrand,
    private readonly logos: StoredLogos,
  ) {}

  routes(): Route[] {
    return [...this.ownRoutes(), ...this.masterRoutes()];
  }

  private ownRoutes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me/brand',
        access: 'key',
        readKeys: true,
        summary: 'Read the brand of the partner',
        description: SHOWN,
        response: BrandResponse,
        run: ({ actor }) => this.read(refOf(actor)),
      }),
      route({
        method: 'put',
        path: '/me/brand',
        access: 'key',
        summary: 'Set the brand of the partner',
        description: LOGO,
        errors: ['brand_locked', 'logo_not_safe'],
        body: BrandBody,
        bodyOptional: true,
        response: BrandResponse,
        run: async ({ actor, body }) => {
          if (body.locked === true) throw invalidField('locked', 'can only be set by the operator');
          return this.present(await this.changeBrand.execute(actor, refOf(actor), brandChangesOf(body)));
        },
      }),
      route({
        method: 'delete',
        path: '/me/brand',
        access: 'key',
        summary: 'Remove the brand of the partner',
        errors: ['brand_locked'],
        response: null,
        status: 204,
        run: ({ actor }) => this.changeBrand.remove(actor, refOf(actor)),
      }),
    ];
  }

  private masterRoutes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/partners/:partner_ref/brand',
        access: 'master',
        summary: 'Read the brand of a partner',
        description: SHOWN,
        response: BrandResponse,
        run: ({ params }) => this.read(partnerRefParam(params.partner_ref)),
      }),
      route({
        method: 'put',
        path: '/partners/:partner_ref/brand',
        access: 'master',
        summary: 'Set the brand of a partner, and whether the partner may change it',
        description: `${LOGO} While \`locked\` is true, a change by the partner is 403 \`brand_locked\`.`,
        errors: ['logo_not_safe'],
        body: BrandBody,
        bodyOptional: true,
        response: BrandResponse,
        run: async ({ actor, params, body }) =>
          this.present(
            await this.changeBrand.execute(actor, partnerRefParam(params.partner_ref), brandChangesOf(body)),
          ),
      }),
      route({
        method: 'delete',
        path: '/partners/:partner_ref/brand',
        access: 'master',
        summary: 'Remove the brand of a partner, and its lock',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.changeBrand.remove(actor, partnerRefParam(params.partner_ref)),
      }),
    ];
  }

  /** A partner without a brand has one that shows nothing. @throws AppError partner_not_found */
  private async read(ref: PartnerRef): Promise<BrandResponse> {
    const partner = await this.partners.summary(ref);
    if (partner === null) throw new AppError('partner_not_found');
    const { id, brandRevision: revision } = partner;
    return this.present({ brand: (await this.brands.find(id)) ?? Brand.empty(id), revision });
  }

  private async present({ brand, revision }: RevisedBrand): Promise<BrandResponse> {
    return presentBrand({ brand: await this.logos.shown(brand), revision });
  }
}

/** The access of the routes leaves only keys, whose partner has a reference. */
function refOf(actor: Actor): PartnerRef {
  if (actor.kind !== 'client' || actor.partnerRef === null) throw new AppError('client_token_required');
  return actor.partnerRef;
}
