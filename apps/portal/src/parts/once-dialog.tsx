import { Modal } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useFocusBack } from './focus-back.js';

/** Says whether the dialog around is held open. Without a dialog nothing is. */
const Hold = createContext<(isHeld: boolean) => void>(() => undefined);

interface OnceDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/**
 * A dialog in which something may be shown once. A click beside it does not close it, nor does Escape until something
 * of what is shown was copied. Its button always does.
 */
export function OnceDialog({ opened, onClose, title, children }: OnceDialogProps) {
  const [isHeld, setIsHeld] = useState(false);
  useFocusBack(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={!isHeld}>
      <Hold value={setIsHeld}>{children}</Hold>
    </Modal>
  );
}

/**
 * Holds the dialog around open, while something is shown.
 * @returns what to call when something was copied, by a button or by hand
 */
export function useShownOnce(isShown: boolean): () => void {
  const hold = useContext(Hold);
  useEffect(() => {
    hold(isShown);
    return () => hold(false);
  }, [hold, isShown]);
  return () => hold(false);
}
