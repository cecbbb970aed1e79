import { SECOND_MS } from './clock.js';
import { needs } from './needs.js';

/** A part that the service needs, such as the database. */
export abstract class HealthCheck {
  abstract readonly name: string;
  /** Whether the process still serves requests while there is a problem. */
  readonly isWarning: boolean = false;
  /** Whether the process knows the problem without asking anything, so that every answer has it at once. */
  readonly isKnown: boolean = false;
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

/**
 * The checks of one process. However many callers ask, each check begins at most once a second, and never twice at the
 * same time: callers that ask meanwhile share one run and its result.
 */
export class SharedReadiness {
  private last: { at: number; isRunning: boolean; readiness: Promise<Readiness> } | null = null;

  /**
   * @param checks read at each question
   * @param maxAgeMs how old the result of a run that has ended may be, counted from the begin of the run
   * @param now milliseconds of a clock that nobody sets
   */
  constructor(
    private readonly checks: readonly HealthCheck[],
    private readonly maxAgeMs = SECOND_MS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the process can serve. What it knows without a check is not waited for. */
  async isReady(): Promise<boolean> {
    return (await this.known()).isReady && (await this.asked()).isReady;
  }

  /** The result of every check. */
  async read(): Promise<Readiness> {
    const [known, asked] = await Promise.all([this.known(), this.asked()]);
    return {
      isReady: known.isReady && asked.isReady,
      checks: [...known.checks, ...asked.checks],
      warnings: [...known.warnings, ...asked.warnings],
    };
  }

  private known(): Promise<Readiness> {
    return readinessOf(this.checks.filter(({ isKnown }) => isKnown));
  }

  private asked(): Promise<Readiness> {
    const { last } = this;
    const now = this.now();
    if (last !== null && (last.isRunning || now - last.at < this.maxAgeMs)) return last.readiness;
    const run = { at: now, isRunning: true, readiness: this.run() };
    this.last = run;
    return run.readiness;
  }

  private async run(): Promise<Readiness> {
    try {
      return await readinessOf(this.checks.filter(({ isKnown }) => !isKnown));
    } finally {
      if (this.last !== null) this.last.isRunning = false;
    }
  }
}

/** Makes a process unready from the moment it begins to stop, so that balancers send it no further requests. */
@needs()
export class ShutdownCheck extends HealthCheck {
  override readonly name = 'shutdown';
  override readonly isKnown = true;
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
