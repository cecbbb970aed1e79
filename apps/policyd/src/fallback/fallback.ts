import type { Count } from '../outbound-api.js';
import { UNAVAILABLE } from '../policy/verdict-reply.js';

/** Decides on mail while the API is unavailable. */
export abstract class Fallback {
  /** Returns the action for a recipient. Never throws. */
  abstract preview(domain: string, login: string): Promise<string>;
  /** Returns the reply to a whole message. Never throws. */
  abstract count(item: Count): Promise<string>;
  /** Stores whether the API waits for a restore to be accepted: until it does not any more, no mail passes. */
  abstract noteRestore(isWaiting: boolean): void;
  /** Stores the API's last verdict on a domain. */
  abstract noteVerdict(domain: string, action: string): void;
}

/** Defers everything (`POLICY_FAIL=closed`). */
export class FailClosed extends Fallback {
  override preview(): Promise<string> {
    return Promise.resolve(UNAVAILABLE);
  }

  override count(): Promise<string> {
    return Promise.resolve(UNAVAILABLE);
  }

  override noteRestore(): void {}

  override noteVerdict(): void {}
}
