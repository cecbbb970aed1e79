import { ActionIcon, Button, CopyButton as Copied } from '@mantine/core';
import { CheckIcon, CopyIcon } from 'lucide-react';
import { t } from '../texts/texts.js';

interface CopyButtonProps {
  value: string;
  /** Names the value on hover and for screen readers, where no label does. */
  what?: string;
  label?: string;
  onCopy?: () => void;
}

/** Copies a value. */
export function CopyButton({ value, what = '', label, onCopy }: CopyButtonProps) {
  return (
    <Copied value={value} timeout={1_500}>
      {({ copied, copy }) => {
        const copyAndTell = () => {
          copy();
          onCopy?.();
        };
        const icon = copied ? <CheckIcon size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />;
        if (label !== undefined)
          return (
            <Button size="xs" variant="default" leftSection={icon} onClick={copyAndTell}>
              {copied ? t('page.copied') : label}
            </Button>
          );
        const said = copied ? t('page.copied') : t('page.copyWhat', { what });
        return (
          <ActionIcon variant="subtle" color="gray" onClick={copyAndTell} aria-label={said} title={said}>
            {icon}
          </ActionIcon>
        );
      }}
    </Copied>
  );
}
