/**
 * The prefix of all keys in Redis. The braces put them into one slot: a Redis in cluster mode runs a script only when
 * all its keys have the same slot.
 */
export const PREFIX = '{mailstead}';

/** Each message of this queue starts a sweep in one process. */
export const SWEEP_QUEUE = 'sweep';

/**
 * The options of a queue that only sends messages. BullMQ does not ask for INFO at each opening then, whose answer lets
 * it write lines on the console, past the log. Its workers still ask, and refuse a Redis that is too old.
 */
export const SENDING = { prefix: PREFIX, skipVersionCheck: true };
