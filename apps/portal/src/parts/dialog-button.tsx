import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { OnceDialog } from './once-dialog.js';

/** Whether a dialog is open, for those that two buttons open. */
export interface Dialog {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** The button beside which the dialog is. It stays, whatever the dialog changes, so it gets the focus back. */
  button: RefObject<HTMLButtonElement | null>;
}

export function useDialog(): Dialog {
  const [isOpen, { open, close }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  return { isOpen, open, close, button };
}

interface DialogButtonProps {
  label: string;
  title: string;
  /** Set when the dialog shows something once (`OnceDialog`). */
  showsOnce?: boolean;
  /** Set when another button opens the dialog too (`BeginButton`). */
  dialog?: Dialog | undefined;
  /** Whether this is the main action of the page. */
  isMain?: boolean;
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog, to add something. */
export function DialogButton({ label, title, showsOnce = false, isMain = true, dialog, children }: DialogButtonProps) {
  const own = useDialog();
  const { isOpen, open, close, button } = dialog ?? own;
  const Dialog = showsOnce ? OnceDialog : Modal;
  return (
    <>
      <Button
        variant={isMain ? 'filled' : 'default'}
        leftSection={<PlusIcon size={16} aria-hidden />}
        onClick={open}
        ref={button}
      >
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title}>
        {children(close)}
      </Dialog>
    </>
  );
}

/**
 * Opens the dialog of a `DialogButton` from an empty list. The dialog is not in the list: it stays when what it added
 * ends the emptiness.
 */
export function BeginButton({ label, dialog: { open, button } }: { label: string; dialog: Dialog }) {
  const begin = () => {
    button.current?.focus();
    open();
  };
  return (
    <Button variant="default" onClick={begin}>
      {label}
    </Button>
  );
}
