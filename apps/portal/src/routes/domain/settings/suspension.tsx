import { Button, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { api } from '../../../api/client.js';
import type { Domain } from '../../../api/shapes.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';

/** Stops and starts the mail of a domain. Nothing is lost, so one click is enough. */
export function Suspension({ domain: { name, status, suspension_causes } }: { domain: Domain }) {
  const preview = (next: Domain['status']) => () => [
    { queryKey: ['domain', name], show: (now: unknown) => shownAs(now, name, next) },
  ];
  const touches = () => [['domain', name], ['domains'], ['attention']];
  const params = { path: { domain_name: name } };
  const activate = useChange({
    run: async () => {
      await api.PUT('/domains/{domain_name}/activate', { params });
    },
    preview: preview('active'),
    touches,
  });
  const suspend = useChange({
    run: async () => {
      await api.PUT('/domains/{domain_name}/suspend', { params });
    },
    preview: preview('suspended'),
    touches,
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

/** Queries of the domain begin with its key, and only the record has a status of the domain. */
function shownAs(now: unknown, name: string, status: Domain['status']): unknown {
  const isRecord = typeof now === 'object' && now !== null && 'suspension_causes' in now && 'name' in now;
  return isRecord && now.name === name ? { ...now, status } : now;
}
