import { Progress, Stack, Text } from '@mantine/core';
import type { MailboxDetails } from '../../../api/shapes.js';
import { countOf, formatMegabytes } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';

/** How much of its storage the mailbox uses, as the mail server reports it. */
export function MailboxStorage({ mailbox }: { mailbox: MailboxDetails }) {
  const { quota_mb, storage_used_mb, messages } = mailbox;
  const quota = quota_mb === 0 ? 'no limit' : formatMegabytes(quota_mb);
  if (storage_used_mb === null)
    return (
      <Section title="Storage">
        <Text size="sm">
          {quota_mb === 0 ? 'No limit.' : `Up to ${quota}.`} The mail server does not report how much is used.
        </Text>
      </Section>
    );
  return (
    <Section title="Storage">
      <Stack gap={4}>
        <Text size="sm">
          {formatMegabytes(storage_used_mb)} {quota_mb === 0 ? '· no limit' : `of ${quota}`}
          {messages === null ? '' : `, ${countOf(messages, 'message')}`}
        </Text>
        {quota_mb > 0 && (
          <Progress
            value={Math.min(100, (storage_used_mb / quota_mb) * 100)}
            size="sm"
            aria-label={`${formatMegabytes(storage_used_mb)} of ${quota} used`}
          />
        )}
      </Stack>
    </Section>
  );
}
