import { Button, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { activateDomain, suspendDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';

/** Stops and starts the mail of a domain. Nothing is lost, so one click is enough. */
export function Suspension({ domain: { name, status, suspension_causes } }: { domain: Domain }) {
  const activate = useChange(activateDomain(name));
  const suspend = useChange(suspendDomain(name), {
    onDone: () => offerUndo(`${name} is suspended.`, () => activate.mutateAsync(undefined)),
  });
  const isSuspended = status === 'suspended';
  return (
    <Section title={isSuspended ? 'Suspended' : 'Suspend'}>
      <Stack gap="xs">
        <Text size="sm">
          {isSuspended
            ? `Suspended${suspension_causes.length === 0 ? '' : ` by ${suspension_causes.join(' and ')}`}. Incoming mail waits at its senders, nobody can log in, and nothing is lost.`
            : 'Incoming mail then waits at its senders, nobody can log in or send, and nothing is lost.'}
        </Text>
        <Group>
          {isSuspended ? (
            <Button loading={activate.isPending} onClick={() => activate.mutate(undefined)}>
              Activate
            </Button>
          ) : (
            <Button variant="default" loading={suspend.isPending} onClick={() => suspend.mutate(undefined)}>
              Suspend
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  );
}
