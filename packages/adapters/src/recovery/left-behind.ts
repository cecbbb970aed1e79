import { reasonOf } from '@mailstead/core/errors';

/** A backup or restore failed, or was stopped, and what it had begun could not be removed. */
export class LeftBehind extends Error {
  /**
   * @param what names what was left
   * @param why the error of the command
   * @param error that of the removal
   */
  constructor(what: string, why: unknown, error: unknown) {
    super(`${reasonOf(why)}; and ${what} cannot be removed (${reasonOf(error)})`, { cause: why });
  }
}
