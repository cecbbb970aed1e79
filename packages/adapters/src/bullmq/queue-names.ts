/**
 * The prefix of all keys in Redis. The braces put them into one slot: a Redis in cluster mode runs a script only when
 * all its keys have the same slot.
 */
export const PREFIX = '{mailstead}';

/** Each message of this queue starts a sweep in one process. */
export const SWEEP_QUEUE = 'sweep';
