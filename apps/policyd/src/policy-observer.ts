/** Is told what the policy daemon does, for metrics and logs. */
export abstract class PolicyObserver {
  /** A request of Postfix was answered: by its stage, and with the first word of the action. */
  abstract answered(stage: string, action: string): void;
  /** Mail was refused or put off. */
  abstract objected(login: string, reply: string): void;
  /** A connection was cut. */
  abstract cut(reason: string): void;
  /** Postfix asked at a stage at which nothing is decided: its configuration is of an earlier release. */
  abstract outdated(stage: string): void;
  /** The API was asked for so many. @param outcome `ok`, `away`, or the code of its refusal. */
  abstract asked(kind: string, outcome: string, items: number, seconds: number): void;
}
