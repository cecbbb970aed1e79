import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlertIcon } from 'lucide-react';
import { releaseBrake } from '../../../api/job-runs.js';
import { warningsQuery } from '../../../api/jobs.js';
import { sentence } from '../../../api/problem.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { useView } from '../../frame/view.js';

/** Shown while the purge holds lowered retentions: released, they remove mail for ever. */
export function PurgeBrake() {
  const { may } = useView();
  const { data: warnings = [] } = useQuery(warningsQuery);
  const [isOpen, dialog] = useDisclosure(false);
  const warning = warnings.find(({ name }) => name === 'purge_brake');
  if (warning === undefined) return null;
  return (
    <Alert variant="default" icon={<TriangleAlertIcon aria-hidden />} title="The brake of the purge holds">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence(warning.detail)}</Text>
        {may('postJobsNameRun') && (
          <Button size="xs" variant="default" onClick={dialog.open}>
            Release the brake
          </Button>
        )}
      </Stack>
      <ConfirmByName
        opened={isOpen}
        name="retention.purge"
        title="Release the brake of the purge?"
        action="Release"
        consequence="The next purge removes the mail that is older than the lowered retention of the domains that are held now. This cannot be undone."
        onClose={dialog.close}
        change={releaseBrake}
      />
    </Alert>
  );
}
