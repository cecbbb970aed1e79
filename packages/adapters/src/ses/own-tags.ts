import type { Tag } from '@aws-sdk/client-sesv2';
import { AppError } from '@mailstead/core/errors';

/** Marks what an installation made at SES: others may use the same account. */
export const INSTALLATION_TAG = 'mailstead-installation';

export function isOurs(tags: readonly Tag[], installationId: string): boolean {
  return tagOf(tags, INSTALLATION_TAG) === installationId;
}

export function tagOf(tags: readonly Tag[], key: string): string | undefined {
  return tags.find(({ Key }) => Key === key)?.Value;
}

/** The error of a response that does not say what it must. */
export function unreadable(what: string): AppError {
  return new AppError('relay_unavailable', { detail: `The relay provider answered with ${what}; try again` });
}
