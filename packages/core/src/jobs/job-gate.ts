/** Lets jobs and schedules run only while the clock of this process is right. */
export abstract class JobGate {
  /**
   * Called before each claim of jobs and before each run of schedules.
   *
   * @returns the time of the database; null while jobs and schedules wait because a clock is wrong
   * @throws AppError database_unavailable
   */
  abstract enter(): Promise<Date | null>;
}
