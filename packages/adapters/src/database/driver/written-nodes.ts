/** A node of a Galera cluster. Nodes whose names nobody set may have the same one. */
export interface GaleraNodeName {
  name: string;
  /** Empty when the server does not tell. */
  address: string;
}

/** When transactions of this process began on a node, by `performance.now()`. */
export interface SeenNode extends GaleraNodeName {
  firstAt: number;
  lastAt: number;
}

/** The Galera nodes on which this process begins transactions; without Galera there are none. */
export class WrittenNodes {
  private seen = new Map<string, SeenNode>();

  /** @param isCluster whether the server was a Galera node when this process opened it. */
  constructor(readonly isCluster: boolean) {}

  saw({ name, address }: GaleraNodeName): void {
    const key = `${name} ${address}`;
    const at = performance.now();
    const known = this.seen.get(key);
    if (known === undefined) this.seen.set(key, { name, address, firstAt: at, lastAt: at });
    else known.lastAt = at;
  }

  /** What was seen since the last call. */
  take(): SeenNode[] {
    const taken = [...this.seen.values()];
    this.seen = new Map();
    return taken;
  }
}
