type Fields = Record<string, unknown>;

interface TextRule {
  pattern: RegExp;
  /** What a right value is, for the sentence about a wrong one. */
  expects: string;
}

/**
 * Reads one JSON object field by field. A wrong field is noted as a problem that names its path, and reading goes on
 * with a stand-in value, so that all problems come out at once; whoever owns the list of problems must look at it
 * before using a value.
 */
export class SettingReader {
  private readonly fields: Fields;
  private readonly known = new Set<string>();

  constructor(
    source: unknown,
    private readonly path: string,
    private readonly problems: string[],
  ) {
    if (isFields(source)) {
      this.fields = source;
    } else {
      this.fields = {};
      this.problem('', 'must be an object');
    }
  }

  /** A text; without a fallback it is required. */
  text(name: string, rule: TextRule, fallback?: string): string {
    return this.optionalText(name, rule, fallback ?? null) ?? this.missing(name, `must be ${rule.expects}`, '');
  }

  /** A text that may be absent; null switches off what has a fallback. */
  optionalText(name: string, rule: TextRule, fallback: string | null): string | null {
    const value = this.take(name);
    if (value === undefined) return fallback;
    if (value === null) return null;
    if (typeof value !== 'string' || !rule.pattern.test(value)) {
      this.problem(name, `must be ${rule.expects}`);
      return fallback ?? '';
    }
    return value;
  }

  /** A whole number between two bounds, both included. */
  integer(name: string, min: number, max: number, fallback: number): number {
    const value = this.take(name) ?? fallback;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      return this.missing(name, `must be a whole number from ${min} to ${max}`, fallback);
    }
    return value;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.take(name) ?? fallback;
    return typeof value === 'boolean' ? value : this.missing(name, 'must be true or false', fallback);
  }

  choice<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.take(name) ?? fallback;
    return (
      values.find((known) => known === value) ?? this.missing(name, `must be one of ${values.join(', ')}`, fallback)
    );
  }

  /** A nested object; an absent one is read as an empty one, so that its required fields are the problems. */
  section(name: string): SettingReader {
    return new SettingReader(this.take(name) ?? {}, this.pathOf(name), this.problems);
  }

  /** A nested object, or null when it is absent or null. */
  optionalSection(name: string): SettingReader | null {
    const value = this.take(name) ?? null;
    return value === null ? null : new SettingReader(value, this.pathOf(name), this.problems);
  }

  /** A list of objects, which may be empty or absent. */
  sections(name: string): SettingReader[] {
    const value = this.take(name) ?? [];
    if (!Array.isArray(value)) return this.missing(name, 'must be a list', []);
    return value.map(
      (entry: unknown, index) => new SettingReader(entry, `${this.pathOf(name)}[${index}]`, this.problems),
    );
  }

  /** A list of texts; with at least one entry when the fallback has one. */
  texts(name: string, rule: TextRule, fallback: string[]): string[] {
    const value = this.take(name) ?? fallback;
    const fits = (entry: unknown): entry is string => typeof entry === 'string' && rule.pattern.test(entry);
    if (!Array.isArray(value) || value.length < Math.min(1, fallback.length) || !value.every(fits)) {
      return this.missing(name, `must be a list, each entry ${rule.expects}`, fallback);
    }
    return value;
  }

  /** Notes every field that nothing asked for: a misspelt setting must not be silently without effect. */
  refuseUnknown(): void {
    for (const name of Object.keys(this.fields)) {
      if (!this.known.has(name)) this.problem(name, 'is not a setting');
    }
  }

  /** Notes a problem with one field of this object. */
  problem(name: string, sentence: string): void {
    this.problems.push(`${name === '' ? this.path || 'the settings' : this.pathOf(name)} ${sentence}`);
  }

  private missing<T>(name: string, sentence: string, standIn: T): T {
    this.problem(name, sentence);
    return standIn;
  }

  private take(name: string): unknown {
    this.known.add(name);
    return this.fields[name];
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function isFields(source: unknown): source is Fields {
  return typeof source === 'object' && source !== null && !Array.isArray(source);
}
