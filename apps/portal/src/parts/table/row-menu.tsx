import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisIcon } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../texts/texts.js';

/** The content is a landmark of the page, which the body is not. */
const IN_CONTENT = { target: '#content' };

interface RowMenuProps {
  /** Names the row for screen readers. */
  of: string;
  /** In the order of the menu. */
  tasks: readonly { label: string; onSelect: () => void }[];
  /** Whether one of them runs. */
  isBusy?: boolean;
}

/** What can be done with a row, behind one button. */
export function RowMenu({ of, tasks, isBusy = false }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // A dialog returns the focus to what had it. The item of the menu is gone by then.
  const select = (onSelect: () => void) => {
    button.current?.focus();
    onSelect();
  };
  return (
    <Menu position="bottom-end" portalProps={IN_CONTENT} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={28}
          loading={isBusy}
          aria-label={t('page.actionsOf', { what: of })}
        >
          <EllipsisIcon size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {tasks.map(({ label, onSelect }) => (
          <Menu.Item key={label} onClick={() => select(onSelect)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
