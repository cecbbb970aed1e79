/** One thing the service needs to do its work. */
export abstract class HealthCheck {
  abstract readonly name: string;
  /** Null when it is there; otherwise what is missing, in a sentence without secrets. Never throws. */
  abstract problem(): Promise<string | null>;
}
