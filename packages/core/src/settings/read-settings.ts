import { Refusal, readerOf } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The message lists every wrong variable, never its value. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/**
 * Reads the settings of a process. Each field is an environment variable in upper snake case (`dataDir` is `DATA_DIR`),
 * and its decorator says how it is read. A variable that is empty or not set keeps its default; a default that the
 * decorator refuses makes a setting required.
 *
 * @param problemsBetween returns a sentence for each setting that does not fit to another one
 * @throws SettingsError that lists all wrong variables
 */
export function readSettings<T extends object>(
  Settings: new () => T,
  environment: Environment,
  problemsBetween: (settings: T) => readonly string[] = () => [],
): Readonly<T> {
  const settings = new Settings();
  const problems: string[] = [];
  for (const [name, preset] of Object.entries(settings)) {
    const reader = readerOf(settings, name);
    const text = environment[variableOf(name)]?.trim() ?? '';
    if (text === '' && typeof preset !== 'string') continue;
    const read = reader(text === '' ? preset : text);
    if (read instanceof Refusal) problems.push(`${variableOf(name)}: ${read.reason}`);
    const value = read instanceof Refusal ? read.value : read;
    if (value !== undefined) Reflect.set(settings, name, value);
  }
  problems.push(...problemsBetween(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

/** `dataDir` → `DATA_DIR`. */
export function variableOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
