import { Button, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.js';
import { endSessions, sessionsQuery } from '../../api/sessions.js';
import type { OpenSession } from '../../api/shapes.js';
import { FactsTable } from '../../parts/facts-table.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { StatusMark } from '../../parts/status-mark.js';
import { Time } from '../../parts/time.js';

/** Where this key is logged in. Whoever was logged out by this can enter again, so one click is enough. */
export function SessionsPage() {
  const query = useQuery(sessionsQuery);
  const others = (query.data ?? []).filter(({ current }) => !current);
  return (
    <Page title="Sessions" actions={others.length > 0 && <EndAll others={others} />}>
      <Queried query={query}>
        {(sessions) => (
          <Stack>
            <Text size="sm">
              These are the browsers in which somebody entered with the same key as you. A session also ends by itself.
            </Text>
            <FactsTable label="Sessions" columns={['Session', 'Opened', 'Last used', 'Ends', 'Change']}>
              {sessions.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </FactsTable>
          </Stack>
        )}
      </Queried>
    </Page>
  );
}

function Row({ session: { id, current, created_at, last_used_at, expires_at } }: { session: OpenSession }) {
  const end = useChange(endSessions);
  return (
    <Table.Tr>
      <Table.Td>
        {current ? (
          <StatusMark mark="good">This browser</StatusMark>
        ) : (
          <StatusMark mark="none">Another browser</StatusMark>
        )}
      </Table.Td>
      <Table.Td>
        <Time at={created_at} />
      </Table.Td>
      <Table.Td>
        <Time at={last_used_at} relative />
      </Table.Td>
      <Table.Td>
        <Time at={expires_at} />
      </Table.Td>
      <Table.Td>
        {current ? (
          'Log out in the menu with your name'
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`End session ${id}`}
            loading={end.isPending}
            onClick={() => end.mutate([id])}
          >
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function EndAll({ others }: { others: OpenSession[] }) {
  const end = useChange(endSessions);
  return (
    <Button variant="default" loading={end.isPending} onClick={() => end.mutate(others.map(({ id }) => id))}>
      End all others
    </Button>
  );
}
