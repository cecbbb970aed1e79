import { Button, type ButtonProps, Text } from '@mantine/core';
import { ChevronDownIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { nameOf } from '../../api/caller.js';
import { useCaller } from '../../api/session.js';

/** The name of who is in. It opens a menu. */
export function WhoButton(props: ButtonProps & ComponentProps<'button'>) {
  const caller = useCaller();
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px="xs"
      rightSection={<ChevronDownIcon size={14} aria-hidden />}
      aria-haspopup="menu"
      {...props}
    >
      <Text size="sm" maw={140} truncate>
        {nameOf(caller)}
      </Text>
    </Button>
  );
}
