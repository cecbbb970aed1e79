import { describeWith } from '../../../../scripts/needed-programs.mjs';

/** `describe` for tests that need the real mail servers. */
export const describeStack = await describeWith('the mail servers');
