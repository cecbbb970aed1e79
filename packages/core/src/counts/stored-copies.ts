import type { Slice } from './row-counts.js';

/**
 * What is stored a second time to be found or read quickly: partners on the rows of domains, parts of names, what needs
 * attention, what the mail servers read, and the days of partners. A process of the former release, which may run
 * during an update, does not write all of it.
 * @until 5.2
 */
export abstract class StoredCopies {
  /** Corrects what the mail servers read about all domains. @returns the number of corrected rows */
  abstract correctMailServers(): Promise<number>;
  /**
   * Compares the copies of a slice of the domains with their sources and corrects them, in short transactions. Each
   * corrected row is counted and logged. May be interrupted and run again.
   *
   * @returns the number of corrected rows
   */
  abstract correct(slice: Slice, now: Date): Promise<number>;
}
