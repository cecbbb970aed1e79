/**
 * Notes what shows whether somebody listens to the relay provider: counted messages, and its signed messages. Written
 * together, after a few seconds, so that no count waits for it; a crash loses the last seconds.
 */
export abstract class RelayTrafficLog {
  /** Messages that were counted and leave by the relay. */
  abstract counted(messages: number, at: Date): void;
  /**
   * A signed message of the provider was accepted. Never rejects.
   *
   * @param isEvent whether it was about a message, and not about the subscription
   */
  abstract heard(at: Date, isEvent: boolean): Promise<void>;
}
