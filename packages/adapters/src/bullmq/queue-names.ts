/**
 * The prefix of all keys in Redis. The braces put them into one slot: a Redis in cluster mode runs a script only when
 * all its keys have the same slot.
 */
export const PREFIX = '{mailstead}';

/** Each message of this queue starts a sweep in one process. */
export const SWEEP_QUEUE = 'sweep';

/**
 * The options of a queue that only sends messages. Without the check of the version, which workers make too, BullMQ does
 * not ask for INFO at each opening, whose answer lets it write lines on the console, past the log.
 */
export const SENDING = { prefix: PREFIX, skipVersionCheck: true };
