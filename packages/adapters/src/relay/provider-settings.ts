import type { Config } from '../config.js';

/**
 * The values of `RELAY_PROVIDER`, each with the settings that it requires. `readConfig` throws when one of them is not
 * set. `PROVIDERS` creates the providers.
 */
export const PROVIDER_SETTINGS = {
  sandbox: [],
  ses: ['snsTopicArns', 'awsRegion', 'sesConfigurationSet'],
} as const satisfies Record<string, readonly (keyof Config)[]>;

export type RelayProviderName = keyof typeof PROVIDER_SETTINGS;

export const RELAY_PROVIDERS = Object.keys(PROVIDER_SETTINGS) as RelayProviderName[];

/** The settings with the types of a process that uses this provider: its required settings are not null. */
export type SettingsOf<Name extends RelayProviderName> = Readonly<Config> & {
  readonly [Setting in (typeof PROVIDER_SETTINGS)[Name][number]]: NonNullable<Config[Setting]>;
};

/** @returns the settings that the configured provider requires and that are not set */
export function missingSettings(config: Readonly<Config>): (keyof Config)[] {
  const required: readonly (keyof Config)[] = PROVIDER_SETTINGS[config.relayProvider];
  // A list that consists of commas and spaces counts as not set.
  const isMissing = (value: unknown) =>
    value === null || (typeof value === 'string' && value.replaceAll(/[\s,]/g, '') === '');
  return required.filter((setting) => isMissing(config[setting]));
}

export function hasSettings<Name extends RelayProviderName>(
  config: Readonly<Config>,
  _name: Name,
): config is SettingsOf<Name> {
  return missingSettings(config).length === 0;
}
