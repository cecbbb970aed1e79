import { reasonOf } from '../errors.js';
import { SettingsError } from './read-settings.js';

/**
 * Waits until a server listens.
 *
 * @param settings the names of the variables that say where
 * @throws SettingsError with these names when it cannot
 */
export async function listening(settings: string, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    throw new SettingsError([`${settings}: cannot listen (${reasonOf(error)})`]);
  }
}
