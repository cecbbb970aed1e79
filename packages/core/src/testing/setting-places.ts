import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const COMPOSE = 'docker-compose.yml';

/** The settings of a program, and the places that must know each of them. */
export interface SettingPlaces {
  /** The default of each environment variable; null, empty or an empty list without one. */
  defaults: Readonly<Record<string, unknown>>;
  /** Reads the value of a variable that is set to this text. @throws Error when the program refuses the text. */
  read: (variable: string, text: string) => unknown;
  /** The services of docker-compose.yml that run the program. */
  services: readonly string[];
  /** The variables that docker-compose.yml sets itself, with the reason. */
  setByCompose: Readonly<Record<string, string>>;
  /** The document whose table has a row for each variable. */
  document: string;
}

/** @returns a sentence for each setting that a place does not know, or knows with another default, with what to add. */
export function forgottenPlaces(places: SettingPlaces): string[] {
  return [...forgottenInCompose(places), ...forgottenInDocument(places)];
}

/** @returns a sentence for each name in .env.example that docker-compose.yml does not use. */
export function unusedInExample(): string[] {
  const names = [...fileOf('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  const compose = fileOf(COMPOSE);
  return names
    .filter((name) => !new RegExp(`\\$\\{${name}[:}]|^ +${name}:$`, 'm').test(compose))
    .map((name) => `.env.example has ${name}, which ${COMPOSE} does not use`);
}

function forgottenInCompose({ defaults, read, services, setByCompose }: SettingPlaces): string[] {
  const compose = parse(fileOf(COMPOSE), { merge: true }) as {
    services: Record<string, { environment: Record<string, string | number | boolean | null> }>;
  };
  return Object.entries(defaults).flatMap(([variable, value]) => {
    if (variable in setByCompose) return [];
    const given = services.map((service) => compose.services[service]?.environment[variable]);
    const missing = services.filter((_, index) => given[index] === undefined);
    if (missing.length > 0) {
      return [
        `${COMPOSE} does not pass ${variable} to ${missing.join(' and ')}: add the line "  ${variable}:", ` +
          'or name it in the test with the reason why an operator must not set it',
      ];
    }
    const presets = given.filter((text) => text !== null && text !== undefined).map((text) => presetOf(String(text)));
    return presets
      .filter((preset) => preset !== '' && !reads(read, variable, preset, value))
      .map((preset) => `${COMPOSE} sets ${variable} to ${preset}; the default in the code is ${String(value)}`);
  });
}

/** Returns the preset of `${NAME:-preset}`, nothing for another `${NAME…}`, and any other text itself. */
function presetOf(text: string): string {
  const [reference, preset = ''] = /^\$\{\w+(?::?-(.*)\})?/.exec(text) ?? [];
  return reference === undefined ? text : preset;
}

function forgottenInDocument({ defaults, read, document }: SettingPlaces): string[] {
  const cells = documentedDefaults(document);
  const rows = new Map(cells);
  const problems = Object.entries(defaults).flatMap(([variable, value]) => {
    const cell = rows.get(variable);
    const shown = hasNoDefault(value) ? 'none' : String(value);
    if (cell === undefined) {
      return [`${document} has no row for ${variable}: add "| \`${variable}\` | ${shown} | what it does |"`];
    }
    if ((hasNoDefault(value) && /^(none|not set)\b/.test(cell)) || reads(read, variable, cell, value)) return [];
    return [`${document} says that the default of ${variable} is "${cell}"; in the code it is ${shown}`];
  });
  const unknown = [...rows.keys()].filter((variable) => !(variable in defaults));
  const named = cells.map(([variable]) => variable);
  const repeated = named.filter((variable, index) => named.indexOf(variable) < index);
  return [
    ...problems,
    ...unknown.map((variable) => `${document} has a row for ${variable}, which is no setting`),
    ...repeated.map((variable) => `${document} has several rows for ${variable}`),
  ];
}

/**
 * Reads the table whose first column is `variable`. A row may name several variables, with one default for all or one
 * for each, separated by commas. A note in parentheses or after a colon or semicolon is not part of the default.
 */
function documentedDefaults(document: string): [variable: string, value: string][] {
  const [, table = ''] = /^\| variable \|.*\n\|[ -|]+\n((?:\|.*\n)+)/m.exec(fileOf(document)) ?? [];
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, names = '', cell = ''] = line.split('|').map((each) => each.trim());
      const values = cell.split(',').map((each) =>
        each
          .replace(/\(.*?\)|[:;] .*$/g, '')
          .replaceAll('`', '')
          .trim(),
      );
      return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, variable = ''], index): [string, string] => [
        variable,
        (values.length === 1 ? values[0] : values[index]) ?? '',
      ]);
    });
}

function reads(read: SettingPlaces['read'], variable: string, text: string, value: unknown): boolean {
  try {
    return JSON.stringify(read(variable, text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function hasNoDefault(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function fileOf(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8');
}
