import { SECOND_MS } from '@mailstead/core/clock';
import type { RateRules } from '../relay/rate-limiter.js';

/**
 * SES allows about one control-plane call a second for each account and region. Interactive calls may use half of them.
 */
export const SES_RATE_RULES: RateRules = {
  intervalMs: SECOND_MS,
  interactiveIntervalMs: 2 * SECOND_MS,
  maxWaitMs: { interactive: 3 * SECOND_MS, background: 30 * SECOND_MS },
};

/** One call, at a tenth of the rate. */
export const SES_ALIGN_INTERVAL_MS = 10 * SES_RATE_RULES.intervalMs;
