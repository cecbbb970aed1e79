/** A node of a Galera cluster. Nodes without a configured name may have the same name. */
export interface GaleraNodeName {
  name: string;
  /** Empty when the server does not report it. */
  address: string;
}

/** The first and last time that a transaction of this process began on a node, by `performance.now()`. */
export interface SeenNode extends GaleraNodeName {
  firstAt: number;
  lastAt: number;
}

/** Collects the Galera nodes on which this process begins transactions. Empty without Galera. */
export class WrittenNodes {
  private seen = new Map<string, SeenNode>();

  /** @param isCluster whether the server was a Galera node when this process opened the database */
  constructor(readonly isCluster: boolean) {}

  saw({ name, address }: GaleraNodeName): void {
    const key = `${name} ${address}`;
    const at = performance.now();
    const known = this.seen.get(key);
    if (known === undefined) this.seen.set(key, { name, address, firstAt: at, lastAt: at });
    else known.lastAt = at;
  }

  /** @returns the nodes seen since the last call */
  take(): SeenNode[] {
    const taken = [...this.seen.values()];
    this.seen = new Map();
    return taken;
  }
}
