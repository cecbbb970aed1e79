import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { KeyRoundIcon } from 'lucide-react';
import { useEnded } from '../api/session.js';
import { t } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';
import { useShownOnce } from './once-dialog.js';

/**
 * A secret that the service shows this one time. It is in no query and no storage, so it goes with the screen. It is
 * not in the page while the door stands before it, where anybody may be.
 */
export function ShownOnce({ title, secret, children }: { title: string; secret: string; children?: string }) {
  const isOut = useEnded() !== null;
  const noteCopied = useShownOnce(!isOut);
  if (isOut) return null;
  return (
    <Alert variant="default" title={title} icon={<KeyRoundIcon aria-hidden />} onCopy={noteCopied}>
      <Stack gap="xs">
        <Text size="sm">{children ?? t('page.shownOnce')}</Text>
        <Group gap="xs">
          <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {secret}
          </Code>
          <CopyButton value={secret} label={t('page.copy')} onCopy={noteCopied} />
        </Group>
      </Stack>
    </Alert>
  );
}
