/** Receives the events of the policy service, for metrics and logs. */
export abstract class PolicyObserver {
  /** A request of Postfix was answered. @param action the first word of the action. */
  abstract answered(stage: string, action: string): void;
  /** A recipient was refused or deferred. */
  abstract objected(login: string, reply: string): void;
  /** A connection was closed because Postfix broke the protocol or exceeded a limit. */
  abstract cut(reason: string): void;
  /** A request to the API ended. @param outcome `ok`, `away`, or the code of the problem. */
  abstract asked(kind: string, outcome: string, items: number, seconds: number): void;
}
