import { types } from 'node:util';

/** The result of one check, with a sentence for the operator. */
export interface Finding {
  /** `warning`: the mail stack works, and the operator should know something. Only `wrong` is an exit code of 1. */
  verdict: 'ok' | 'warning' | 'wrong';
  sentence: string;
}

/** What a check throws when the mail stack works all the same. Its message is a whole sentence. */
export class Warning extends Error {}

/** Runs a check. @returns a finding; an error of the check becomes one that is wrong, after `wrong` and a colon. */
export async function toFinding(wrong: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { verdict: 'ok', sentence: await check() };
  } catch (error) {
    if (error instanceof Warning) return { verdict: 'warning', sentence: error.message };
    return { verdict: 'wrong', sentence: `${wrong}: ${reasonOf(error)}` };
  }
}

export function reasonOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}
