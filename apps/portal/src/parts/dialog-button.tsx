import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface DialogButtonProps {
  label: string;
  title: string;
  /** Set when the dialog shows something once: then a click beside it does not close it. */
  showsOnce?: boolean;
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog, to add something. */
export function DialogButton({ label, title, showsOnce = false, children }: DialogButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={title} closeOnClickOutside={!showsOnce}>
        {children(dialog.close)}
      </Modal>
    </>
  );
}
