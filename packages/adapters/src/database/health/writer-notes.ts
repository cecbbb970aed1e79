/** The period in which a process wrote to a database node. */
export interface WriterNote {
  nodeName: string;
  nodeAddress: string;
  /** Host and process id, for people. */
  process: string;
  /** Epoch milliseconds. Since then the row was updated at least every 30 s. */
  firstSeenAt: number;
  seenAt: number;
}

export interface WrittenNode {
  name: string;
  address: string;
  processes: string[];
}

/**
 * Finds the nodes that were written to at the same time. When the period of one node ends before that of the next
 * begins, it is a failover, and they do not count.
 *
 * @param notes the notes of the last 30 s
 * @returns an empty list, or at least two nodes ordered by name
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
