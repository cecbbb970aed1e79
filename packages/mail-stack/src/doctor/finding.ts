import { types } from 'node:util';

/** The result of one check, with a sentence for the operator. */
export interface Finding {
  ok: boolean;
  sentence: string;
}

/** Runs a check. @returns a finding; an error of the check becomes a finding that is not ok. */
export async function toFinding(wrong: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { ok: true, sentence: await check() };
  } catch (error) {
    return { ok: false, sentence: `${wrong}: ${types.isNativeError(error) ? error.message : String(error)}` };
  }
}
