import { describeWith, pathOf } from '../../../../scripts/needed-programs.mjs';

/** `describe` for tests that need PHP. */
export const describePhp = await describeWith('PHP');

/** The PHP that runs the module for WHMCS. */
export const PHP = pathOf('php') ?? 'php';
