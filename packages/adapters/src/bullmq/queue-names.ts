/** The prefix of the Redis keys of all queues. */
export const QUEUE_PREFIX = 'mailstead';

/** Each message of this queue starts a sweep in one process. */
export const SWEEP_QUEUE = 'sweep';
