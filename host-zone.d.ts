/**
 * Marks what reads or writes a time in the zone of the host, which must decide nothing: times are UTC. The rule
 * `no-deprecated` of `.oxlintrc.json` refuses it. The portal, which shows times in the reader's zone, leaves this file
 * out.
 */
interface DateConstructor {
  new (text: `${string}Z` | `${string} GMT`): Date;
  /** @deprecated A text without a zone is read in that of the host. Use `readTime` of the core. */
  new (text: string): Date;
  /** @deprecated It is in the zone of the host. Use `Date.UTC`. */
  new (
    year: number,
    monthIndex: number,
    date?: number,
    hours?: number,
    minutes?: number,
    seconds?: number,
    ms?: number,
  ): Date;
  parse(text: `${string}Z`): number;
  /** @deprecated A text without a zone is read in that of the host. Use `readTime` of the core. */
  parse(text: string): number;
}

interface Date {
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getFullYear(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getMonth(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getDate(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getDay(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getHours(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getMinutes(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  getSeconds(): number;
  /** @deprecated */
  getTimezoneOffset(): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setFullYear(year: number, month?: number, date?: number): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setMonth(month: number, date?: number): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setDate(date: number): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setHours(hours: number, min?: number, sec?: number, ms?: number): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setMinutes(min: number, sec?: number, ms?: number): number;
  /** @deprecated It is in the zone of the host. Use that of UTC. */
  setSeconds(sec: number, ms?: number): number;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toString(): string;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toDateString(): string;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toTimeString(): string;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toLocaleDateString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  /** @deprecated It is in the zone of the host. Use `toISOString`. */
  toLocaleTimeString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
}
