import { Table, Text } from '@mantine/core';
import type { UsageRow } from '../../api/shapes.js';
import { formatBytes } from './usage-numbers.js';

/** The bytes of a row or a sum, with their received part and the rest below. */
export function TransferredCell({ of }: { of: Pick<UsageRow, 'bytes' | 'bytes_in' | 'bytes_out'> }) {
  return (
    <Table.Td>
      {formatBytes(of.bytes)}
      {of.bytes > 0 && (
        <Text size="xs" c="dimmed">
          {formatBytes(of.bytes_in)} in, {formatBytes(of.bytes_out)} out
        </Text>
      )}
    </Table.Td>
  );
}
