import { atMost } from './at-most.js';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { Patience } from './patience.js';
import { sentenceOf, statusOf } from './problem.js';
import type { Bodies, DnsCheck, Domain, SuspensionCause } from './shapes.js';

/** The most domains that one task goes through. */
export const MOST_DOMAINS = 500;
const CALLS_AT_ONCE = 4;

export type PlanName = Bodies['PlanBody']['plan'];

/** What became of one domain. */
export type Outcome =
  | { kind: 'changed' }
  /** It was so already, so there is nothing to undo. */
  | { kind: 'unchanged' }
  | { kind: 'checked'; check: DnsCheck }
  | { kind: 'refused'; reason: string };

/** What is done with one domain. Each call may be repeated. */
export type DomainTask = (domain: Domain) => Promise<Outcome>;

interface ManyDomains {
  domains: readonly Domain[];
  task: DomainTask;
  onOutcome: (domain: Domain, outcome: Outcome) => void;
  /** No call begins after it was aborted. */
  signal: AbortSignal;
}

/** Does the same with many domains, a few at a time. A refusal stops no other; the end of the session does. */
export const workOnDomains = change({
  run: async ({ domains, task, onOutcome, signal }: ManyDomains) => {
    const patience = new Patience(signal);
    await atMost(CALLS_AT_ONCE, domains, async (domain) => {
      try {
        onOutcome(domain, await patience.call(() => task(domain)));
      } catch (error) {
        if (signal.aborted) return;
        if (statusOf(error) === 401) throw error;
        onOutcome(domain, { kind: 'refused', reason: sentenceOf(error) });
      }
    });
  },
  touches: [keys.domains, keys.everyDomain, keys.me],
});

export function suspending(cause: SuspensionCause): DomainTask {
  return async ({ name, suspension_causes }) => {
    if (suspension_causes.includes(cause)) return { kind: 'unchanged' };
    await api.PUT('/domains/{domain_name}/suspend', { ...at(name), body: { cause } });
    return { kind: 'changed' };
  };
}

export function lifting(cause: SuspensionCause): DomainTask {
  return async ({ name }) => {
    await api.PUT('/domains/{domain_name}/activate', { ...at(name), body: { cause } });
    return { kind: 'changed' };
  };
}

export function settingPlan(plan: PlanName): DomainTask {
  return async ({ name, plan: present }) => {
    if (present === plan) return { kind: 'unchanged' };
    await api.PUT('/domains/{domain_name}/plan', { ...at(name), body: { plan } });
    return { kind: 'changed' };
  };
}

/** Sets the plan that the domain had, then what a plan sets and the domain may have had otherwise. */
export const settingFormerPlan: DomainTask = async ({ name, plan, retention_days, transfer_monthly_mb }) => {
  if (plan === null) return { kind: 'unchanged' };
  await api.PUT('/domains/{domain_name}/plan', { ...at(name), body: { plan } });
  await api.PUT('/domains/{domain_name}/retention', { ...at(name), body: { retention_days } });
  await api.PUT('/domains/{domain_name}/transfer', { ...at(name), body: { transfer_monthly_mb } });
  return { kind: 'changed' };
};

export const checkingDns: DomainTask = async ({ name }) => {
  const { data } = await api.GET('/domains/{domain_name}/dns-check', at(name));
  return { kind: 'checked', check: data as DnsCheck };
};

function at(name: string) {
  return { params: { path: { domain_name: name } } };
}
