import { nameableCauses } from '../../../api/caller.js';
import {
  checkingDns,
  type DomainTask,
  lifting,
  type PlanName,
  settingFormerPlan,
  settingPlan,
  suspending,
} from '../../../api/many-domains.js';
import type { Domain, SuspensionCause } from '../../../api/shapes.js';
import { useView } from '../../frame/view.js';

/** What is done with the chosen domains. */
export interface Work {
  /** The title while it is done, such as *Suspending 12 domains*: this is its verb. */
  verb: string;
  task: DomainTask;
  /** What takes back the change of a domain; null where nothing does. */
  undo: { task: DomainTask; isFor: (domain: Domain) => boolean } | null;
}

export interface Tasks {
  /** The causes for which the caller may suspend; empty when it may not. */
  causes: SuspensionCause[];
  maySetPlan: boolean;
  mayCheck: boolean;
  hasAny: boolean;
  suspend: (cause: SuspensionCause) => Work;
  setPlan: (plan: PlanName) => Work;
  check: Work;
}

/** What this caller may do with many domains. */
export function useTasks(): Tasks {
  const { caller, may } = useView();
  const causes = may('putDomainsDomainNameSuspend') ? nameableCauses(caller) : [];
  const maySetPlan = may('putDomainsDomainNamePlan');
  const mayCheck = may('getDomainsDomainNameDnsCheck');
  const mayUndoPlan = maySetPlan && may('putDomainsDomainNameRetention') && may('putDomainsDomainNameTransfer');
  return {
    causes,
    maySetPlan,
    mayCheck,
    hasAny: causes.length > 0 || maySetPlan || mayCheck,
    suspend: (cause) => ({
      verb: 'Suspending',
      task: suspending(cause),
      undo: may('putDomainsDomainNameActivate') ? { task: lifting(cause), isFor: () => true } : null,
    }),
    setPlan: (plan) => ({
      verb: 'Setting the plan of',
      task: settingPlan(plan),
      // The API sets plans and never takes one away.
      undo: mayUndoPlan ? { task: settingFormerPlan, isFor: (domain) => domain.plan !== null } : null,
    }),
    check: { verb: 'Checking', task: checkingDns, undo: null },
  };
}
