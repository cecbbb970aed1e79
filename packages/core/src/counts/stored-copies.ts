import type { Slice } from './row-counts.js';

/**
 * What is stored a second time to be found or read quickly: partners on the rows of domains, parts of names, words of
 * partners, what needs attention, what the mail servers read, and the days of partners. Each change writes its copies;
 * `housekeeping` compares all of them with their sources once a day.
 */
export abstract class StoredCopies {
  /**
   * Compares the copies of a slice of the domains and partners with their sources and corrects them, in short
   * transactions. Each corrected row is counted and logged. May be interrupted and run again.
   *
   * @returns the number of corrected rows
   */
  abstract correct(slice: Slice, now: Date): Promise<number>;
}
