/** One thing the service needs to do its work. */
export abstract class HealthCheck {
  abstract readonly name: string;
  /** Whether the process serves all the same while there is a problem. */
  readonly isWarning: boolean = false;
  /** Null when it is there; otherwise what is missing, in a sentence without secrets. Never throws. */
  abstract problem(): Promise<string | null>;
}

export interface Readiness {
  /** False when something stops this process from serving. */
  isReady: boolean;
  checks: { name: string; detail: string | null }[];
  /** What is wrong and stops nothing. */
  warnings: { name: string; detail: string }[];
}

/** Asks all checks at once. */
export async function readinessOf(checks: readonly HealthCheck[]): Promise<Readiness> {
  const found = await Promise.all(
    checks.map(async (check) => ({ name: check.name, isWarning: check.isWarning, detail: await check.problem() })),
  );
  const stopping = found.filter(({ isWarning }) => !isWarning);
  return {
    isReady: stopping.every(({ detail }) => detail === null),
    checks: stopping.map(({ name, detail }) => ({ name, detail })),
    warnings: found.flatMap(({ name, isWarning, detail }) => (isWarning && detail !== null ? [{ name, detail }] : [])),
  };
}

/** When to ask again after a 503, in seconds. */
export const RETRY_AFTER_S = 5;
