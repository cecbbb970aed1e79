import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/notifications.md', import.meta.url));

/** @returns the members of `data` in the example of `docs/notifications.md`, sorted. */
export function documentedMembers(type: NotificationType): string[] {
  const line = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`{"type": "${type}"`));
  const { data } = JSON.parse(line ?? '{"data": {}}') as { data: object };
  return Object.keys(data).sort();
}
