import { needs } from './needs.js';
/** A part that the service needs, such as the database. */
export abstract class HealthCheck {
  abstract readonly name: string;
  /** Whether the process still serves requests while there is a problem. */
  readonly isWarning: boolean = false;
  /** @returns null when there is no problem; otherwise the problem, in a sentence without secrets. Never throws. */
  abstract problem(): Promise<string | null>;

  /** Every problem by itself, for a check that knows several and has a name for each. Never throws. */
  async problems(): Promise<Warning[]> {
    const detail = await this.problem();
    return detail === null ? [] : [{ name: this.name, detail }];
  }
}

/** A problem that does not stop the process from serving. */
export interface Warning {
  name: string;
  detail: string;
}

export interface Readiness {
  /** False when a problem stops this process from serving. */
  isReady: boolean;
  checks: { name: string; detail: string | null }[];
  /** Problems that do not stop this process from serving. */
  warnings: Warning[];
}

/** Runs all checks concurrently. */
export async function readinessOf(checks: readonly HealthCheck[]): Promise<Readiness> {
  const [stopping, warnings] = await Promise.all([
    Promise.all(
      checks
        .filter(({ isWarning }) => !isWarning)
        .map(async (check) => ({ name: check.name, detail: await check.problem() })),
    ),
    Promise.all(checks.filter(({ isWarning }) => isWarning).map((check) => check.problems())),
  ]);
  return {
    isReady: stopping.every(({ detail }) => detail === null),
    checks: stopping,
    warnings: warnings.flat(),
  };
}

/** Makes a process unready from the moment it begins to stop, so that balancers send it no further requests. */
@needs()
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
