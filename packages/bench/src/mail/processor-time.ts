import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (`getconf CLK_TCK`). */
const TICK_MS = 10;

interface Times {
  parent: number;
  /** Of the process itself. */
  ownMs: number;
  /** Of its children that have ended. */
  endedMs: number;
}

/** Returns the processor time of a process and of all its children, also of those that have ended, in milliseconds. */
export function processorMs(pid: number): number {
  const root = timesOf(pid);
  if (root === null) throw new Error(`The process ${pid} has ended`);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter((times) => times?.parent === pid);
  return root.ownMs + root.endedMs + children.reduce((sum, times) => sum + (times?.ownMs ?? 0), 0);
}

function timesOf(pid: number): Times | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    const ticks = (index: number) => Number(fields[index]);
    return {
      parent: ticks(1),
      ownMs: (ticks(11) + ticks(12)) * TICK_MS,
      endedMs: (ticks(13) + ticks(14)) * TICK_MS,
    };
  } catch {
    return null;
  }
}
