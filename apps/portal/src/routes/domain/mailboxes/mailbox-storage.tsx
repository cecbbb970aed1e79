import { Stack, Text } from '@mantine/core';
import type { MailboxDetails } from '../../../api/shapes.js';
import { Bar } from '../../../parts/bar.js';
import { formatMegabytes } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { t } from '../../../texts/texts.js';

/** How much of its storage the mailbox uses, as the mail server reports it. */
export function MailboxStorage({ mailbox }: { mailbox: MailboxDetails }) {
  const { quota_mb, storage_used_mb, messages } = mailbox;
  const quota = formatMegabytes(quota_mb);
  const used = formatMegabytes(storage_used_mb ?? 0);
  if (storage_used_mb === null)
    return (
      <Section title={t('mailbox.storage')}>
        <Text size="sm">
          {quota_mb === 0 ? t('mailbox.noLimit') : t('mailbox.upTo', { quota })} {t('mailbox.notReported')}
        </Text>
      </Section>
    );
  // Trash and Sent take more than the quota, so that a full mailbox can be emptied.
  const isOver = quota_mb > 0 && storage_used_mb > quota_mb;
  const limit = quota_mb === 0 ? t('page.noLimit') : t('page.ofLimit', { limit: quota });
  return (
    <Section title={t('mailbox.storage')}>
      <Stack gap={4}>
        <Text size="sm">
          {isOver ? t('mailbox.over', { used, quota }) : `${used} ${limit}`}
          {messages === null ? '' : `${isOver ? '' : ','} ${t('mailbox.messages', { count: messages })}`}
        </Text>
        {quota_mb > 0 && <Bar share={storage_used_mb / quota_mb} label={t('mailbox.used', { used, quota })} />}
      </Stack>
    </Section>
  );
}
