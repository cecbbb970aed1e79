import { notifications } from '@mantine/notifications';
import { endSessionsOf, type KeyRing } from '../../api/api-keys.js';
import type { ApiKey } from '../../api/shapes.js';
import { ConfirmByName } from '../../parts/confirm-by-name.js';
import { OnceDialog } from '../../parts/once-dialog.js';
import { ChangeKey } from './change-key.js';
import { keyName } from './key-name.js';
import { RotateKey } from './rotate-key.js';

/** In the order of the menu. */
export const KEY_TASKS = ['change', 'rotate', 'sessions', 'revoke'] as const;

/** What somebody is about to do with a key. */
export interface KeyTask {
  kind: (typeof KEY_TASKS)[number];
  key: ApiKey;
}

interface Dialog {
  task: KeyTask;
  ring: KeyRing;
  isOperator: boolean;
  onClose: () => void;
}

export function KeyTaskDialog({ task: { kind, key }, ring, isOperator, onClose }: Dialog) {
  const name = keyName(key);
  switch (kind) {
    case 'revoke':
      return (
        <ConfirmByName
          opened
          name={name}
          action="Revoke"
          consequence="The key, every key that it created, their links and their sessions end at once. This cannot be undone."
          onClose={onClose}
          change={ring.revoke(key.id)}
        />
      );
    case 'sessions':
      return (
        <ConfirmByName
          opened
          name={name}
          title={`End the sessions of ${name}?`}
          action="End sessions"
          consequence="Whoever is in the portal with this key must enter again. The key itself stays as it is."
          onClose={onClose}
          change={endSessionsOf(key.id)}
          onDone={() => notifications.show({ message: `The sessions of ${name} have ended.` })}
        />
      );
    case 'change':
    case 'rotate':
      return (
        <OnceDialog opened onClose={onClose} title={`${kind === 'change' ? 'Change' : 'Rotate'} ${name}`}>
          {kind === 'rotate' && <RotateKey apiKey={key} ring={ring} />}
          {kind === 'change' && <ChangeKey apiKey={key} ring={ring} isOperator={isOperator} onDone={onClose} />}
        </OnceDialog>
      );
  }
}
