export const SUSPENSION_CAUSES = ['partner', 'operator', 'billing', 'abuse'] as const;
export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number];

/** The causes that master may set and lift. The cause that a client sets is always `partner`. */
export const OPERATOR_CAUSES = ['operator', 'billing', 'abuse'] as const;
export type OperatorCause = (typeof OPERATOR_CAUSES)[number];

/** A set of causes in a fixed order. */
export type SuspensionCauses = readonly SuspensionCause[];

export function withCause(causes: SuspensionCauses, cause: SuspensionCause): SuspensionCauses {
  return SUSPENSION_CAUSES.filter((each) => each === cause || causes.includes(each));
}

export function withoutCause(causes: SuspensionCauses, cause: SuspensionCause): SuspensionCauses {
  return causes.filter((each) => each !== cause);
}
