import type { Config } from '../config.js';

/**
 * The relay providers by their name in `RELAY_PROVIDER`, each with the settings that it requires: `readConfig` refuses to
 * start without one of them. `PROVIDERS` says how each is made.
 */
export const PROVIDER_SETTINGS = {
  sandbox: [],
  ses: ['snsTopicArns', 'awsRegion'],
} as const satisfies Record<string, readonly (keyof Config)[]>;

export type RelayProviderName = keyof typeof PROVIDER_SETTINGS;

export const RELAY_PROVIDERS = Object.keys(PROVIDER_SETTINGS) as RelayProviderName[];

/** The settings of a process that uses this provider: the required ones are set. */
export type SettingsOf<Name extends RelayProviderName> = Readonly<Config> & {
  readonly [Setting in (typeof PROVIDER_SETTINGS)[Name][number]]: NonNullable<Config[Setting]>;
};

/** The settings that the chosen provider requires and that are not set. */
export function missingSettings(config: Readonly<Config>): (keyof Config)[] {
  // Another name is a problem of its own, which the validation of the settings reports.
  if (!RELAY_PROVIDERS.includes(config.relayProvider)) return [];
  const required: readonly (keyof Config)[] = PROVIDER_SETTINGS[config.relayProvider];
  // A list of nothing but commas is not set either.
  return required.filter((setting) => String(config[setting] ?? '').replaceAll(/[\s,]/g, '') === '');
}

export function hasSettings<Name extends RelayProviderName>(
  config: Readonly<Config>,
  _name: Name,
): config is SettingsOf<Name> {
  return missingSettings(config).length === 0;
}
