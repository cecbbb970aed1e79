import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { OnceDialog } from '../../parts/once-dialog.js';

interface Task {
  label: string;
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A button beside others that opens a dialog, in which a secret may be shown. */
export function WebhookTask({ label, children }: Task) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <OnceDialog opened={isOpen} onClose={dialog.close} title={label}>
        {children(dialog.close)}
      </OnceDialog>
    </>
  );
}
