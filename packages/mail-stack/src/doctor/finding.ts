import { types } from 'node:util';

/** One thing the doctor looked at, in a sentence that a person can act on. */
export interface Finding {
  ok: boolean;
  sentence: string;
}

/** Does a check of one thing; whatever it throws becomes the finding that it is wrong. */
export async function look(wrong: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { ok: true, sentence: await check() };
  } catch (error) {
    return { ok: false, sentence: `${wrong}: ${types.isNativeError(error) ? error.message : String(error)}` };
  }
}
