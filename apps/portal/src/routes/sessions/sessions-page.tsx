import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.js';
import { endSessions, sessionsQuery } from '../../api/sessions.js';
import type { OpenSession } from '../../api/shapes.js';
import { FactsTable } from '../../parts/facts-table.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { StatusMark } from '../../parts/status-mark.js';
import type { Column } from '../../parts/table/column.js';
import { Time } from '../../parts/time.js';

const COLUMNS: Column<OpenSession>[] = [
  {
    head: 'Session',
    cell: ({ current }) => (
      <StatusMark mark={current ? 'good' : 'none'}>{current ? 'This browser' : 'Another browser'}</StatusMark>
    ),
  },
  { head: 'Opened', cell: ({ created_at }) => <Time at={created_at} />, by: ({ created_at }) => created_at },
  {
    head: 'Last used',
    cell: ({ last_used_at }) => <Time at={last_used_at} relative />,
    by: ({ last_used_at }) => last_used_at,
  },
  { head: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} />, by: ({ expires_at }) => expires_at },
  { head: 'Change', phone: 'bare', cell: (session) => <EndSession session={session} /> },
];

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
            <FactsTable label="Sessions" rows={sessions} keyOf={({ id }) => id} columns={COLUMNS} />
          </Stack>
        )}
      </Queried>
    </Page>
  );
}

function EndSession({ session: { id, current } }: { session: OpenSession }) {
  const end = useChange(endSessions);
  if (current) return 'Log out in the menu with your name';
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`End session ${id}`}
      loading={end.isPending}
      onClick={() => end.mutate([id])}
    >
      End
    </Button>
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
