import type { RelayReport } from './relay-provider.js';

/** What the last check of the account found. */
export interface StoredReport extends RelayReport {
  /** The name of the provider (`RELAY_PROVIDER`). */
  provider: string;
}

/** What is known about the account at the relay provider, and whether somebody listens to its events. */
export interface RelayState {
  /** Null before the first check. */
  report: StoredReport | null;
  checkedAt: Date | null;
  /** The names of the warnings that the last check found, whose notification was written. */
  warnings: string[];
  /** When the first message was counted; null when none was. */
  firstCountedAt: Date | null;
  /** The messages that were counted since the last signed message of the provider was accepted. */
  countedSinceHeard: number;
  /** When the last signed message of the provider was accepted, confirmations included; null when none was. */
  heardAt: Date | null;
  /** When the first and the last event about a message were accepted; null when none was. */
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

/** What happened in a process since it last wrote. */
export interface RelayTraffic {
  /** Messages counted, without those before `heardAt`. */
  counted: number;
  countedAt: Date | null;
  heardAt: Date | null;
  eventAt: Date | null;
}

/** One row about the account at the relay provider. */
export abstract class RelayStates {
  abstract read(): Promise<RelayState>;
  /** Reads and locks the row until the end of the unit of work. */
  abstract lock(): Promise<RelayState>;
  /** Stores what a check found, in the caller's unit of work. */
  abstract saveReport(report: StoredReport, warnings: readonly string[], at: Date): Promise<void>;
  abstract addTraffic(traffic: RelayTraffic): Promise<void>;
  /** Forgets what was counted and heard, because the provider is another one. In the caller's unit of work. */
  abstract forgetTraffic(): Promise<void>;
}
