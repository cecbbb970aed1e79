import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlertIcon } from 'lucide-react';
import { useChange } from '../../../api/change.js';
import { releaseLooks } from '../../../api/job-runs.js';
import { warningsQuery } from '../../../api/jobs.js';
import { sentence } from '../../../api/problem.js';
import { useView } from '../../frame/view.js';
import { isOfHeldDomains } from './looks-warning.js';

/** Shown while it is not told what domains lack in the DNS: the brake holds them, or none is looked at. */
export function LooksBrake() {
  const { may } = useView();
  const { data: warnings = [] } = useQuery(warningsQuery);
  const warning = warnings.find(({ name }) => name === 'dns_looks');
  if (warning === undefined) return null;
  const isHeld = isOfHeldDomains(warning.detail);
  return (
    <Alert
      variant="default"
      icon={<TriangleAlertIcon aria-hidden />}
      title={isHeld ? 'The brake of the DNS records holds' : 'DNS records of domains are not looked at'}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence(warning.detail)}</Text>
        {isHeld && may('postJobsNameRun') && <Release />}
      </Stack>
    </Alert>
  );
}

/** Removes nothing, so the name need not be typed. */
function Release() {
  const [isOpen, dialog] = useDisclosure(false);
  const release = useChange(releaseLooks, {
    onDone: () => notifications.show({ message: 'The brake is released: the domains are looked at now.' }),
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Release the brake
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Release the brake of the DNS records?">
        <Stack>
          <Text size="sm">
            What these domains lack is told to their partners. They are looked at again first, and only what is still
            missing is told.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              Cancel
            </Button>
            <Button
              data-autofocus
              loading={release.isPending}
              onClick={() => release.mutate(undefined, { onSuccess: dialog.close })}
            >
              Release
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
