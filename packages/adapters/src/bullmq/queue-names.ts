/** The keys of the queues in Redis start with it. */
export const QUEUE_PREFIX = 'mailstead';

/** The queue whose messages make one process after another sweep. */
export const SWEEP_QUEUE = 'sweep';
