import { Code, Table, Text } from '@mantine/core';
import type { AuditRow } from '../../../api/shapes.js';
import { Time } from '../../../parts/time.js';

export function AuditTableRow({ row }: { row: AuditRow }) {
  const { at, actor_kind, actor, action, subject, partner_ref, before, after, request_id } = row;
  return (
    <Table.Tr>
      <Table.Td>
        <Time at={at} />
      </Table.Td>
      <Table.Td>
        {actor}{' '}
        {actor !== actor_kind && (
          <Text span size="sm" c="dimmed">
            {actor_kind}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Code>{action}</Code> {subject}
      </Table.Td>
      <Table.Td>{partner_ref ?? '–'}</Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
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
