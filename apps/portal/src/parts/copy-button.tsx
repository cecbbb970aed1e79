import { ActionIcon, Button, CopyButton as Copied } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a value. `what` names it on hover and for screen readers. */
export function CopyButton({ value, what, label }: { value: string; what: string; label?: string }) {
  return (
    <Copied value={value} timeout={1_500}>
      {({ copied, copy }) => {
        const icon = copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />;
        if (label !== undefined)
          return (
            <Button size="xs" variant="default" leftSection={icon} onClick={copy}>
              {copied ? 'Copied' : label}
            </Button>
          );
        const name = copied ? 'Copied' : `Copy ${what}`;
        return (
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={name} title={name}>
            {icon}
          </ActionIcon>
        );
      }}
    </Copied>
  );
}
