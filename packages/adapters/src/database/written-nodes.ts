/** When transactions of this process began on a node, counted back from now. */
export interface SeenNode {
  node: string;
  firstAgoMs: number;
  lastAgoMs: number;
}

/** The Galera nodes on which this process begins transactions; without Galera there are none. */
export class WrittenNodes {
  private seen = new Map<string, { firstAt: number; lastAt: number }>();

  /** @param isCluster whether the server was a Galera node when this process opened it. */
  constructor(readonly isCluster: boolean) {}

  saw(node: string): void {
    const at = performance.now();
    const known = this.seen.get(node);
    if (known === undefined) this.seen.set(node, { firstAt: at, lastAt: at });
    else known.lastAt = at;
  }

  /** What was seen since the last call. */
  take(): SeenNode[] {
    const now = performance.now();
    const taken = [...this.seen].map(([node, { firstAt, lastAt }]) => ({
      node,
      firstAgoMs: Math.round(now - firstAt),
      lastAgoMs: Math.round(now - lastAt),
    }));
    this.seen = new Map();
    return taken;
  }
}
