import { OPERATOR_CAUSES } from '../partners/partner-suspension.js';

/** `partner` is the cause that a client sets and lifts. */
export const SUSPENSION_CAUSES = ['partner', ...OPERATOR_CAUSES] as const;
export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number];

/** A set of causes in a fixed order. */
export type SuspensionCauses = readonly SuspensionCause[];

export function withCause(causes: SuspensionCauses, cause: SuspensionCause): SuspensionCauses {
  return SUSPENSION_CAUSES.filter((each) => each === cause || causes.includes(each));
}

export function withoutCause(causes: SuspensionCauses, cause: SuspensionCause): SuspensionCauses {
  return causes.filter((each) => each !== cause);
}
