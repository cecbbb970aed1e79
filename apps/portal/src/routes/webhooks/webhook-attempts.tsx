import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookAttempt } from '../../api/shapes.js';
import { attemptsQuery } from '../../api/webhooks.js';
import { FactsTable } from '../../parts/facts-table.js';
import { countOf } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { StatusMark } from '../../parts/status-mark.js';
import type { Column } from '../../parts/table/column.js';
import { Time } from '../../parts/time.js';
import { outcomeText } from './webhook-words.js';

const PAGE_ROWS = 20;

const COLUMNS: Column<WebhookAttempt>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} relative />, by: ({ at }) => at },
  { head: 'What', phone: 'bare', cell: ({ type }) => type, by: ({ type }) => type },
  { head: 'Position', align: 'end', cell: ({ position }) => position, by: ({ position }) => position },
  {
    head: 'Outcome',
    phone: 'bare',
    cell: (attempt) => <StatusMark mark={attempt.outcome === 'ok' ? 'good' : 'bad'}>{outcomeText(attempt)}</StatusMark>,
  },
];

/** The last attempts to deliver, newest first: the service keeps the failed ones of 30 days and 50 successes. */
export function WebhookAttempts({ id }: { id: number }) {
  const query = useQuery(attemptsQuery(id));
  return (
    <Section title="Last attempts">
      <Queried query={query}>
        {(attempts) =>
          attempts.length === 0 ? <Text size="sm">Nothing was posted yet.</Text> : <Attempts attempts={attempts} />
        }
      </Queried>
    </Section>
  );
}

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const [most, setMost] = useState(PAGE_ROWS);
  const shown = attempts.slice(0, most);
  return (
    <>
      <FactsTable
        label="Last attempts"
        rows={shown}
        isWhole={shown.length === attempts.length}
        keyOf={({ id }) => id}
        columns={COLUMNS}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {countOf(shown.length, 'attempt')} of {attempts.length} shown
        </Text>
        {shown.length < attempts.length && (
          <Button variant="default" onClick={() => setMost(most + PAGE_ROWS)}>
            Show more
          </Button>
        )}
      </Group>
    </>
  );
}
