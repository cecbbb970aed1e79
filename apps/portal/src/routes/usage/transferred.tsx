import type { UsageRow } from '../../api/shapes.js';
import { Second } from '../../parts/table/second.js';
import { formatBytes } from './usage-numbers.js';

/** The bytes of a row or a sum, with their received part and the rest. */
export function Transferred({ of }: { of: Pick<UsageRow, 'bytes' | 'bytes_in' | 'bytes_out'> }) {
  return (
    <>
      {formatBytes(of.bytes)}
      {of.bytes > 0 && (
        <Second>
          {formatBytes(of.bytes_in)} in, {formatBytes(of.bytes_out)} out
        </Second>
      )}
    </>
  );
}
