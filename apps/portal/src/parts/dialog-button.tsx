import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { OnceDialog } from './once-dialog.js';

interface DialogButtonProps {
  label: string;
  title: string;
  /** Set when the dialog shows something once (`OnceDialog`). */
  showsOnce?: boolean;
  /** Whether this is the main action of the page. */
  isMain?: boolean;
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog, to add something. */
export function DialogButton({ label, title, showsOnce = false, isMain = true, children }: DialogButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const Dialog = showsOnce ? OnceDialog : Modal;
  return (
    <>
      <Button
        variant={isMain ? 'filled' : 'default'}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={dialog.open}
      >
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={title}>
        {children(dialog.close)}
      </Dialog>
    </>
  );
}
