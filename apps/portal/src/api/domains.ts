import { queryOptions } from '@tanstack/react-query';
import { type BasedOn, ifMatch } from './based-on.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { msToNextChange } from './next-change.js';
import { COUNTED, pagedQuery } from './paged-list.js';
import { sentence } from './problem.js';
import type { Bodies, Domain, DomainFilters, RelayStatus, SuspensionCause } from './shapes.js';

const POLL_UNVERIFIED_MS = 5_000;
const ITEMS_PER_REQUEST = 50;

/** Domains as `GET /domains/{domain_name}` answers them, newest first, a page at a time. */
export function domainsQuery(filters: Omit<DomainFilters, 'limit' | 'after' | 'view'>) {
  return pagedQuery<Domain>(
    keys.domainList(filters),
    async (page) => {
      const query = { ...filters, ...page, view: 'full', order: 'desc' } as const;
      const { data, response } = await api.GET('/domains/', { params: { query } });
      return { data: data as Domain[], response };
    },
    { ...COUNTED, refetchIn: msToNextChange },
  );
}

export function domainQuery(name: string) {
  return queryOptions({
    queryKey: keys.domainDetails(name),
    queryFn: async () => (await api.GET('/domains/{domain_name}', at(name))).data as Domain,
    refetchInterval: ({ state: { data } }) =>
      data?.verification_status === 'verified' ? msToNextChange([data]) : POLL_UNVERIFIED_MS,
  });
}

/** The state of the verification. While it is not verified, the service is asked again and again: it asks the relay. */
export function relayStatusQuery(name: string) {
  return queryOptions({
    queryKey: keys.relayStatus(name),
    queryFn: async () => (await api.GET('/domains/{domain_name}/relay-status', at(name))).data as RelayStatus,
    refetchInterval: ({ state }) => (state.data?.verified === true ? false : POLL_UNVERIFIED_MS),
  });
}

/** Asks the name servers and the relay at once. */
export const checkNow = (name: string) => change({ run: async () => undefined, touches: [keys.domain(name)] });

/** Its result is the name as the service writes it. */
export const addDomain = change({
  run: async (body: Bodies['CreateDomainBody']) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    return (await api.POST('/domains/', { body, headers })).data?.name ?? body.name;
  },
  touches: [keys.domains, keys.me],
});

export interface AddedDomain {
  name: string;
  /** Why it was not added; null when it was. */
  refusal: string | null;
}

interface ManyDomains {
  names: readonly string[];
  partnerRef: string | null;
  /** Gets the results of each request, in the order of the names. @returns whether to go on */
  onAdded: (part: AddedDomain[]) => boolean;
}

/** Adds domains, many with one request. A name that is refused stops no other. */
export const addDomains = change({
  run: async ({ names, partnerRef, onAdded }: ManyDomains) => {
    const owner = partnerRef === null ? {} : { partner_ref: partnerRef };
    for (let from = 0; from < names.length; from += ITEMS_PER_REQUEST) {
      const part = names.slice(from, from + ITEMS_PER_REQUEST);
      const items = part.map((name) => ({ name, ...owner }));
      const { data = [] } = await api.POST('/domains/bulk', { body: { items } });
      const added = data.map(({ body, problem }, index) => ({
        name: body?.name ?? part[index] ?? '',
        refusal: problem === undefined ? null : sentence(problem.detail),
      }));
      if (!onAdded(added)) return;
    }
  },
  touches: [keys.domains, keys.me],
});

export const changeDomain = (name: string) =>
  change({
    run: async ({ body, revision }: BasedOn<Bodies['UpdateDomainBody']>) => {
      await api.PUT('/domains/{domain_name}', { ...at(name), body, headers: ifMatch(revision) });
    },
    touches: [keys.domain(name), keys.domains],
  });

/** The master's settings of a domain; what is left out stays. */
type OperatorChanges = Partial<
  Bodies['PlanBody'] & Bodies['RetentionBody'] & Bodies['TransferBody'] & Pick<Bodies['ParentBody'], 'wildcard_mode'>
>;

/** Each field is one request, the plan first: it sets the others. */
export const changeOperatorSettings = (name: string) =>
  change({
    run: async ({ body, revision }: BasedOn<OperatorChanges>) => {
      const { plan, retention_days, transfer_monthly_mb, wildcard_mode } = body;
      // Each request is based on the one before.
      let latest = revision;
      const after = () => ({ ...at(name), headers: ifMatch(latest) });
      if (plan !== undefined)
        latest = (await api.PUT('/domains/{domain_name}/plan', { ...after(), body: { plan } })).data?.revision;
      if (retention_days !== undefined) {
        const put = { ...after(), body: { retention_days } };
        latest = (await api.PUT('/domains/{domain_name}/retention', put)).data?.revision;
      }
      if (transfer_monthly_mb !== undefined) {
        const put = { ...after(), body: { transfer_monthly_mb } };
        latest = (await api.PUT('/domains/{domain_name}/transfer', put)).data?.revision;
      }
      if (wildcard_mode !== undefined)
        await api.PUT('/domains/{domain_name}/parent', { ...after(), body: { wildcard_mode } });
    },
    touches: [keys.domain(name), keys.domains],
  });

interface Suspension {
  cause: SuspensionCause;
  /** What the operator tells the partner; null: nothing. Left out, what it said stays. */
  message?: string | null;
}

/** Adds a cause of suspension. */
export const suspendDomain = (name: string) =>
  change({
    run: async (body: Suspension) => {
      await api.PUT('/domains/{domain_name}/suspend', { ...at(name), body });
    },
    preview: ({ cause }) => [shown(name, (causes) => [...causes.filter((each) => each !== cause), cause])],
    touches: [keys.domain(name), keys.domains],
  });

/** Lifts one cause. The domain stays suspended while it has others. */
export const activateDomain = (name: string) =>
  change({
    run: async (cause: SuspensionCause) => {
      await api.PUT('/domains/{domain_name}/activate', { ...at(name), body: { cause } });
    },
    preview: (cause) => [shown(name, (causes) => causes.filter((each) => each !== cause))],
    touches: [keys.domain(name), keys.domains],
  });

export const deleteDomain = (name: string) =>
  change({
    run: async () => {
      await api.DELETE('/domains/{domain_name}', at(name));
    },
    touches: [keys.domains, keys.me, keys.deleted],
    removes: [keys.domain(name)],
  });

function at(name: string) {
  return { params: { path: { domain_name: name } } };
}

function shown(name: string, to: (causes: SuspensionCause[]) => SuspensionCause[]) {
  return {
    queryKey: keys.domainDetails(name),
    show: (now: Domain): Domain => {
      const causes = to(now.suspension_causes);
      return { ...now, suspension_causes: causes, status: causes.length === 0 ? 'active' : 'suspended' };
    },
  };
}
