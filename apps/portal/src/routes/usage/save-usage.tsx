import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { DownloadIcon } from 'lucide-react';
import { useChange } from '../../api/change.js';
import { sentenceOf } from '../../api/problem.js';
import { usageCsv } from '../../api/usage.js';
import { saveFile } from '../../parts/save-text.js';

/** Saves the whole month as the API's CSV file. A link could not ask the API for CSV. */
export function SaveUsage({ month, partner }: { month: string; partner: string | undefined }) {
  const save = useChange(usageCsv(month, partner), {
    onDone: (file) => saveFile(fileNameOf(month, partner), file),
    onRefused: (error) => notifications.show({ color: 'red', title: 'Not saved', message: sentenceOf(error) }),
  });
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      CSV file
    </Button>
  );
}

function fileNameOf(month: string, partner: string | undefined): string {
  const safe = partner?.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return safe === undefined ? `usage-${month}.csv` : `usage-${safe}-${month}.csv`;
}
