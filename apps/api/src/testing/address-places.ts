import type { DtoClass } from '../http/fields/field-notes.js';
import { fieldsOf } from '../http/fields/field-notes.js';
import type { Route } from '../http/route.js';

/** A text that a route takes: `get /users/ query.q`. A field of an item of a list is `body.items.name`. */
export interface Place {
  route: Route;
  label: string;
  in: 'path' | 'query' | 'body';
  /** The names that lead to it. */
  names: string[];
  isList: boolean;
}

/**
 * What a place takes. `domain`: a name of a domain. `own`: an address here. `outside`: any address, whose capital
 * letters before the @ differ. `compared`: any address, without case. `provider`: an address as the relay provider has
 * it, whose capital letters differ; only names outside ASCII are read.
 */
type Kind = 'domain' | 'own' | 'outside' | 'compared' | 'provider';

/** What happens to a text that is no address: 422 that names it, 404, or it is one that nothing has. */
type Wrong = 'refused' | 'absent' | 'nothing';

/** The places in paths, by the name of the parameter. */
const PARAMS: Readonly<Record<string, [Kind, Wrong]>> = {
  domain_name: ['domain', 'absent'],
  email: ['own', 'absent'],
  alias: ['own', 'absent'],
  address: ['provider', 'absent'],
};

/** The places in queries and bodies, by the end of their label. What the mail servers report is never refused. */
const FIELDS: Readonly<Record<string, [Kind, Wrong]>> = {
  'increment body.recipients': ['compared', 'nothing'],
  'increment body.sender': ['own', 'refused'],
  'increment body.claims': ['own', 'nothing'],
  'increments body.items.recipients': ['compared', 'nothing'],
  'increments body.items.sender': ['own', 'refused'],
  'increments body.items.claims': ['own', 'nothing'],
  'increments body.items.domain': ['domain', 'nothing'],
  'looks body.items.domain': ['domain', 'nothing'],
  'looks body.items.sender': ['own', 'refused'],
  'looks body.items.recipient': ['compared', 'nothing'],
  'looks body.items.recipient_domain': ['domain', 'nothing'],
  'check body.items.login': ['own', 'nothing'],
  'check body.items.address': ['own', 'nothing'],
  'mail-queue/looks body.domains': ['domain', 'nothing'],
  'waiting body.items.domain': ['domain', 'nothing'],
  'trail body.items.domain': ['domain', 'nothing'],
  'trail body.items.sender': ['compared', 'nothing'],
  'trail body.items.recipient': ['compared', 'nothing'],
  'messages query.domain': ['domain', 'refused'],
  'messages query.mailbox': ['own', 'nothing'],
  'messages query.recipient': ['compared', 'nothing'],
  'get /domains/ query.q': ['domain', 'nothing'],
  'query.parent': ['domain', 'refused'],
  'post /domains/ body.name': ['domain', 'refused'],
  'body.parent': ['domain', 'refused'],
  'query.domain': ['domain', 'refused'],
  'get /users/ query.q': ['own', 'nothing'],
  'post /users/ body.email': ['own', 'refused'],
  'get /aliases/ query.q': ['own', 'nothing'],
  'query.destination': ['outside', 'refused'],
  'query.address': ['own', 'refused'],
  'post /aliases/ body.address': ['own', 'refused'],
  'body.destination': ['outside', 'refused'],
  'body.domains': ['domain', 'refused'],
  'front-hosts body.hosts': ['domain', 'refused'],
  'post /domains/bulk body.items.name': ['domain', 'refused'],
  'post /users/bulk body.items.email': ['own', 'refused'],
  'post /aliases/bulk body.items.address': ['own', 'refused'],
  'post /aliases/bulk body.items.destination': ['outside', 'refused'],
  'post /suppressions/bulk body.items.address': ['compared', 'refused'],
  'post /suppressions/bulk body.items.domain': ['domain', 'refused'],
  'get /suppressions/ query.q': ['compared', 'nothing'],
  'post /suppressions/ body.address': ['compared', 'refused'],
  'body.domain': ['domain', 'refused'],
  'transfer/increments body.items.domain': ['domain', 'nothing'],
  'body.support_email': ['outside', 'refused'],
  'audit query.subject': ['compared', 'nothing'],
};

/** Texts that are no addresses and no names of domains. `q` of other lists finds references and names of keys. */
const OTHERS = new Set(
  `id host queue_id message_id reason detail after message partner_ref external_ref password password_hash name token
   key_id deleted_id note suppression_id billing_ref replaces endpoint_id url types state description tier link_id code session
   data colour support_url month day actor action file q`.split(/\s+/),
);

/** @returns null for another text. @throws Error when nobody has said what a text is. */
export function kindOf({ label, in: where, names }: Place): [Kind, Wrong] | null {
  const name = names.at(-1) ?? '';
  const found =
    where === 'path' ? PARAMS[name] : Object.entries(FIELDS).find(([end]) => `/${label}`.endsWith(end))?.[1];
  if (found === undefined && !OTHERS.has(name)) throw new Error(`What does ${label} take?`);
  return found ?? null;
}

/** All texts that a route takes. */
export function placesOf(route: Route): Place[] {
  const label = `${route.method} ${route.path}`;
  const params = Array.from(route.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  return [
    ...params.map((name) => ({
      route,
      label: `${label} path.${name}`,
      in: 'path' as const,
      names: [name],
      isList: false,
    })),
    ...textsOf(route.query, []).map((text) => placeOf(route, label, 'query', text)),
    ...textsOf(route.body, []).map((text) => placeOf(route, label, 'body', text)),
  ];
}

type FoundText = Pick<Place, 'names' | 'isList'>;

function placeOf(route: Route, label: string, where: 'query' | 'body', text: FoundText): Place {
  return { route, label: `${label} ${where}.${text.names.join('.')}`, in: where, ...text };
}

function textsOf(dto: DtoClass | undefined, before: string[]): FoundText[] {
  if (dto === undefined) return [];
  return Array.from(fieldsOf(dto)).flatMap(([name, { schema, refers }]) => {
    const names = [...before, name];
    const inside = refers.flatMap((each) => textsOf(each, names));
    if (isText(schema)) return [...inside, { names, isList: false }];
    return isText(schema.items) ? [...inside, { names, isList: true }] : inside;
  });
}

function isText(schema: unknown): boolean {
  const { type, enum: values, pattern } = (schema ?? {}) as Record<string, unknown>;
  return [type].flat().includes('string') && values === undefined && pattern === undefined;
}
