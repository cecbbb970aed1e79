import { Agent } from 'node:http';

/** Sends requests that follow one another on one connection: a new one for each takes longer than the request. */
export const KEPT_CONNECTIONS = new Agent({ keepAlive: true });
