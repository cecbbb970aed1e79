import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Task {
  label: string;
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A button beside others that opens a dialog. A click beside the dialog does not close it: a secret may be in it. */
export function WebhookTask({ label, children }: Task) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={label} closeOnClickOutside={false}>
        {children(dialog.close)}
      </Modal>
    </>
  );
}
