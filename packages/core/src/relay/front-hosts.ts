import { readForeignName } from '../domains/domain-name.js';

/** The most hosts that a statement may name. */
export const MOST_FRONT_HOSTS = 20;

const PLAIN_NAME = /^[a-z0-9.-]+$/;

/** What the holder of a domain said: mail may arrive at these hosts first, because they pass it on to the platform. */
export interface FrontHosts {
  /** Lower case, without a trailing dot, each once, in the order of the alphabet; at least one. */
  hosts: string[];
  saidAt: Date;
}

/** Stores what the holders of domains said. */
export abstract class FrontHostsRepository {
  /** Null when nothing was said, or it was withdrawn. */
  abstract find(domainId: number): Promise<FrontHosts | null>;
  /** Replaces what was said before, in the unit of work of the caller; null withdraws it. The domain must be locked. */
  abstract save(domainId: number, said: FrontHosts | null): Promise<void>;
}

/** Those of the hosts that can be said, for a program that asks the holder; empty when not all of them can be. */
export function sayableHosts(hosts: readonly string[]): string[] {
  const different = [...new Set(hosts)];
  return different.length <= MOST_FRONT_HOSTS && different.every(isHostName) ? different : [];
}

/**
 * The record may have a name that no host has, such as one with a blank or of one label. No name is compared by UTS #46
 * that would be written otherwise: it takes 5 ms for 500 characters.
 */
function isHostName(host: string): boolean {
  if (!PLAIN_NAME.test(host)) return false;
  const read = readForeignName(host);
  return read.ok && read.name === host;
}
