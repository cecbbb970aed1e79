/** A part that the service needs, such as the database. */
export abstract class HealthCheck {
  abstract readonly name: string;
  /** Whether the process still serves requests while there is a problem. */
  readonly isWarning: boolean = false;
  /** @returns null when there is no problem; otherwise the problem, in a sentence without secrets. Never throws. */
  abstract problem(): Promise<string | null>;
}

export interface Readiness {
  /** False when a problem stops this process from serving. */
  isReady: boolean;
  checks: { name: string; detail: string | null }[];
  /** Problems that do not stop this process from serving. */
  warnings: { name: string; detail: string }[];
}

/** Runs all checks concurrently. */
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

/** Makes a process unready from the moment it begins to stop, so that balancers send it no further requests. */
export class ShutdownCheck extends HealthCheck {
  override readonly name = 'shutdown';
  private stopping = false;
  private readonly listeners: (() => void)[] = [];

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Calls `listener` at the begin of the shutdown. */
  onBegin(listener: () => void): void {
    this.listeners.push(listener);
  }

  begin(): void {
    this.stopping = true;
    for (const listener of this.listeners) listener();
  }

  override async problem(): Promise<string | null> {
    return this.stopping ? 'The process is stopping' : null;
  }
}

/** The `Retry-After` of a 503, seconds. */
export const RETRY_AFTER_S = 5;
