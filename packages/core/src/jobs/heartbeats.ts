/** A running process of the service. */
export interface BeatingProcess {
  /** A name that no other process has, and that a restart changes. */
  id: string;
  kind: 'api' | 'worker';
  /** Host and process id, for people. */
  label: string;
}

export interface WorkerState {
  /** The newest heartbeat of any worker; null when there was never one. */
  lastSeenAt: Date | null;
  /** Workers with a recent heartbeat that have not ended. */
  running: number;
}

/**
 * Stores when each process was last seen running. Only installations with workers (`REDIS_URL`) store heartbeats. The
 * times are those of the processes, whose clocks agree within seconds (`ClockCheck`).
 */
export abstract class Heartbeats {
  abstract beat(process: BeatingProcess, now: Date): Promise<void>;
  /** Marks the process as ended. Its last heartbeat stays. */
  abstract end(processId: string, now: Date): Promise<void>;
  /** @param recentSince heartbeats since then count as running. Heartbeats in the future are ignored. */
  abstract workers(now: Date, recentSince: Date): Promise<WorkerState>;
  /**
   * Whether a process of the former release may run: one that has not ended had a heartbeat in the last two minutes.
   *
   * @until 5.3
   */
  abstract includesFormer(now: Date): Promise<boolean>;
  /**
   * For many callers at once, with the same time, true for exactly one: a stop of the workers is reported once. Must
   * run in a unit of work with the report.
   */
  abstract claimReport(lastSeenAt: Date | null): Promise<boolean>;
  /** Deletes heartbeats from before `before`, but keeps the newest of each kind. @returns the number of deleted rows */
  abstract deleteOld(before: Date): Promise<number>;
}
