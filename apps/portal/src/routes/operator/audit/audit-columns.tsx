import { Code, Text } from '@mantine/core';
import type { AuditRow } from '../../../api/shapes.js';
import type { Column } from '../../../parts/table/column.js';
import { Second } from '../../../parts/table/second.js';
import { Time } from '../../../parts/time.js';

export const AUDIT_COLUMNS: Column<AuditRow>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'Who',
    phone: 'bare',
    cell: ({ actor, actor_kind }) => (
      <>
        {actor}
        {actor !== actor_kind && <Second>{actor_kind}</Second>}
      </>
    ),
  },
  {
    head: 'Action',
    phone: 'bare',
    cell: ({ action, subject }) => (
      <>
        <Code>{action}</Code> {subject}
      </>
    ),
  },
  { head: 'Partner', cell: ({ partner_ref }) => partner_ref },
  { head: 'Before and after', phone: 'bare', cell: (row) => <BeforeAndAfter row={row} /> },
];

function BeforeAndAfter({ row: { before, after, request_id } }: { row: AuditRow }) {
  return (
    <details>
      <summary>{namesOf(before, after)}</summary>
      <Values title="Before" values={before} />
      <Values title="After" values={after} />
      {request_id !== null && (
        <Text size="sm" c="dimmed">
          Request {request_id}
        </Text>
      )}
    </details>
  );
}

function Values({ title, values }: { title: string; values: unknown }) {
  if (values === null) return null;
  return (
    <>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Code block className="portal-value">
        {JSON.stringify(values, null, 2)}
      </Code>
    </>
  );
}

const SHOWN_NAMES = 3;

/** The names of the values, so that most rows need not be opened. */
function namesOf(before: unknown, after: unknown): string {
  const names = [...new Set([before, after].flatMap((values) => Object.keys(values ?? {})))];
  if (names.length === 0) return 'No values';
  return names.length > SHOWN_NAMES ? `${names.slice(0, SHOWN_NAMES).join(', ')} …` : names.join(', ');
}
