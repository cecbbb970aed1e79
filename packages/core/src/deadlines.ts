/**
 * How long a process waits for what is outside of it, in milliseconds. They stand in one place because their order
 * matters: who waits for a part waits longer than the part.
 */
export const DEADLINES = {
  /** A new connection to MariaDB, which shows whether the server answers at all. */
  databaseGreeting: 1_500,
  /** A statement of a change is silent for so long: then a new connection is tried. */
  databaseSilence: 2_500,
  /** A read, and the BEGIN of a change. After it the database counts as unavailable. */
  databaseRead: 3_000,
  /** A change waits so long for its turn, and a statement for a lock. After it the service counts as busy. */
  databaseTurn: 10_000,
  /** A process waits so long for another one that writes to the embedded database. */
  embeddedWriter: 5_000,
  /** A question of `/health/ready` and of the clock. */
  databaseHealth: 2_000,
  redisConnection: 2_000,
  redisAnswer: 2_000,
  /** A settlement of the rates of all processes. */
  redisSettlement: 500,
  /** A look-up of a record, with all its repetitions. */
  dns: 3_000,
  /** All look-ups of a domain whose records are looked at. */
  dnsLook: 10_000,
  /** A call of the relay's interface. */
  relayCall: 10_000,
  /** A certificate of SNS, whose name a stranger may have invented. */
  certificate: 2_000,
  /** The answer of a webhook's server, from the look-up of its name to the end of what is read. */
  webhookAnswer: 10_000,
  /** The use of a mailbox, which Dovecot tells. */
  mailboxUsage: 1_000,
  /** A request to Dovecot that ends sessions. */
  mailSessions: 5_000,
  /** At the end of a process: the requests that run. */
  runningRequests: 5_500,
  /** The whole end of a process. */
  stop: 8_000,
  /** The page offers so long to take a change back. */
  undo: 15_000,
  /** A request of the policy daemon to the API. */
  policyRequest: 3_000,
  /** The answer of the policy daemon to Postfix, which waits for 5 s. */
  policyAnswer: 4_000,
  /** The end of the policy daemon. */
  policydStop: 7_000,
} as const;

export type Deadline = keyof typeof DEADLINES;

let factor = 1;

/** Returns a deadline in milliseconds. It is read when it is needed: the factor is set after the modules are loaded. */
export function deadline(name: Deadline): number {
  return DEADLINES[name] * factor;
}

/** Multiplies all deadlines, for a slow machine. */
export function scaleDeadlines(by: number): void {
  factor = by;
}
