import type { Count } from '../outbound-api.js';
import { UNAVAILABLE } from '../policy/verdict-reply.js';

/** What is answered while the API is away. */
export abstract class Fallback {
  abstract look(domain: string, login: string): Promise<string>;
  abstract count(item: Count): Promise<string>;
  /** A verdict of the API, to be remembered. */
  abstract heard(domain: string, action: string): void;
}

/** Puts everything off (`POLICY_FAIL=closed`). */
export class FailClosed extends Fallback {
  override look(): Promise<string> {
    return Promise.resolve(UNAVAILABLE);
  }

  override count(): Promise<string> {
    return Promise.resolve(UNAVAILABLE);
  }

  override heard(): void {}
}
