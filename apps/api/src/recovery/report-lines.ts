import type { RestoreReport } from '@mailstead/core/recovery/accept-restore';
import type { RestoredKind } from '@mailstead/core/recovery/restored-installation';

/** What may be back, and what the operator does about it. */
const ADVICE: Record<RestoredKind, string> = {
  keys: 'keys that were deleted, rotated or limited in the window work as before; rotate or delete those again, and expect those that were made in it to be unknown',
  passwords:
    'mailboxes whose password was changed in the window have the former one; ask their owners to change it, first after a theft',
  links:
    'links to DNS pages that were deleted in the window work again; delete those that must not, and make those of the window anew',
  suspensions:
    'suspensions that were lifted in the window are back, and those that were set in it are gone; compare with your billing',
  blocks:
    'blocks that were lifted in the window are back, and those of senders that bounced in it are gone; look at their bounces before you lift or set one',
  deleted:
    'what was deleted in the window is back, and what was restored in it is deleted again; delete or restore it before its time ends',
};

/** One line for the window, and one for each kind. */
export function reportLines({ takenAt, restoredAt, counts }: RestoreReport): string {
  const lines = Object.entries(ADVICE).map(([kind, advice]) => `${kind} ${counts[kind as RestoredKind]}: ${advice}`);
  return [`window ${takenAt.toISOString()} ${restoredAt.toISOString()}`, ...lines, ''].join('\n');
}
