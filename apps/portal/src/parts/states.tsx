import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { InboxIcon, TriangleAlertIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { sentenceOf, statusOf } from '../api/problem.js';
import { mountAnew } from '../api/translation.js';
import { t } from '../texts/texts.js';

/** Shown while the first content of a part loads. */
export function Loading({ what = t('page.loading') }: { what?: string }) {
  return (
    <Group gap="xs" py="md" role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm" c="dimmed">
        {t('page.wait', { what })}
      </Text>
    </Group>
  );
}

/** Shown in place of content that could not be read. */
export function Failing({ error, reset }: { error: unknown; reset?: () => void }) {
  const isMissing = statusOf(error) === 404;
  useEffect(() => (reset === undefined ? undefined : mountAnew(error, reset)), [error, reset]);
  return (
    <Alert
      variant="default"
      icon={<TriangleAlertIcon aria-hidden />}
      title={t(isMissing ? 'page.nothingHere' : 'page.notRead')}
      role="alert"
      my="md"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentenceOf(error)}</Text>
        {reset !== undefined && !isMissing && (
          <Button size="xs" variant="default" onClick={reset}>
            {t('page.tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Shown in place of a list without rows. Says what belongs here and how to begin. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center" className="portal-card">
      <InboxIcon size={32} strokeWidth={1.3} aria-hidden />
      <Title order={2}>{title}</Title>
      {children !== undefined && (
        <Text size="sm" c="dimmed" maw={480}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}

/** Shown below a list that a search would make shorter. */
export function TooMany({ shown, what }: { shown: number; what: string }) {
  return (
    <Text size="sm" c="dimmed" py="xs">
      {t('page.tooMany', { count: shown, what })}
    </Text>
  );
}
