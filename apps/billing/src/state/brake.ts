import { readOwnTime } from '@mailstead/core/read-time';
import type { StateFile } from './state-file.js';

const HOUR_MS = 3_600_000;
const LEAST_LIMIT = 20;
const SHARE = 0.02;

/** The brake holds: nothing is suspended until `resume`. */
export class BrakeHeld extends Error {
  constructor(readonly domain: string) {
    super(`The brake holds: ${domain} is not suspended until "resume"`);
    this.name = 'BrakeHeld';
  }
}

/** Stops suspensions when they are too many: more than max(20, 2 % of the billed domains) within an hour. */
export class Brake {
  constructor(private readonly state: StateFile) {}

  /**
   * Writes the suspension to the disk before it is made, so that a killed process has counted it. A domain counts once
   * within an hour, so a repeated attempt does not count again.
   *
   * @throws BrakeHeld when the suspensions are stopped, or this one stops them
   * @throws StateUnreadable; Error when the file cannot be written
   */
  async allow(domain: string, now: Date): Promise<void> {
    const isAllowed = await this.state.change((state) => {
      if (state.stoppedAt !== null) return false;
      const oldest = now.getTime() - HOUR_MS;
      state.suspensions = state.suspensions.filter(({ at }) => readOwnTime(at).getTime() > oldest);
      if (state.suspensions.some((suspension) => suspension.domain === domain)) return true;
      if (state.suspensions.length >= brakeLimit(state.billedDomains)) {
        state.stoppedAt = now.toISOString();
        return false;
      }
      state.suspensions.push({ domain, at: now.toISOString() });
      return true;
    });
    if (!isAllowed) throw new BrakeHeld(domain);
  }

  /** Stores the number from which the limit follows. */
  async setBilledDomains(count: number): Promise<void> {
    await this.state.change((state) => {
      state.billedDomains = count;
    });
  }
}

/** The highest number of domains that may be suspended within an hour. */
function brakeLimit(billedDomains: number): number {
  return Math.max(LEAST_LIMIT, Math.floor(billedDomains * SHARE));
}
