/** That a process wrote to a database node, from when to when. */
export interface WriterNote {
  nodeName: string;
  nodeAddress: string;
  /** For people: host and process id. */
  process: string;
  /** Epoch milliseconds; the begin of the time in which it was noted again at least every 30 s. */
  firstSeenAt: number;
  seenAt: number;
}

export interface WrittenNode {
  name: string;
  address: string;
  processes: string[];
}

/**
 * The nodes that were written to at the same time as another one. A node whose last note is older than the first note of
 * the next is no second writer: that is a failover.
 *
 * @param notes of the last 30 s. @returns none, or two at least, by name.
 */
export function nodesWrittenAtOnce(notes: readonly WriterNote[]): WrittenNode[] {
  const nodes = new Map<string, WrittenNode & { firstAt: number; lastAt: number }>();
  for (const { nodeName, nodeAddress, process, firstSeenAt, seenAt } of notes) {
    const key = `${nodeName} ${nodeAddress}`;
    const node = nodes.get(key);
    nodes.set(key, {
      name: nodeName,
      address: nodeAddress,
      processes: [...(node?.processes ?? []), process].sort(),
      firstAt: Math.min(node?.firstAt ?? firstSeenAt, firstSeenAt),
      lastAt: Math.max(node?.lastAt ?? seenAt, seenAt),
    });
  }
  const all = [...nodes.values()];
  return all
    .filter((node) =>
      all.some((other) => other !== node && other.firstAt <= node.lastAt && node.firstAt <= other.lastAt),
    )
    .map(({ name, address, processes }) => ({ name, address, processes }))
    .sort((left, right) => `${left.name} ${left.address}`.localeCompare(`${right.name} ${right.address}`));
}
