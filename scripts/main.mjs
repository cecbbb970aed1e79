// @ts-check

/** Ends a script with a message, without a stack trace. */
export class Stop extends Error {
  /**
   * @param {string} message
   * @param {number} [exitStatus]
   */
  constructor(message, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/**
 * Runs a script's main function and exits with its result. A `Stop` prints only its message, another error its stack
 * trace.
 * @param {() => Promise<number>} work
 */
export async function main(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (error instanceof Stop) {
      if (error.message !== '') console.error(error.message);
      process.exitCode = error.exitStatus;
      return;
    }
    console.error(error);
    process.exitCode = 1;
  }
}

/**
 * Returns the message of anything that was thrown.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
