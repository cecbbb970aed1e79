/**
 * Maximum wait of a chunk for requests that arrived before it, milliseconds. Most requests end much sooner. A request
 * that waits for something else (a hash, a name server) delays one chunk only.
 */
const MAX_WAIT_MS = 25;

/**
 * Orders the chunks of all lists of a process: one list at a time reads and writes one chunk. The partners take turns;
 * the lists of one partner are first come first served. SQLite runs on the thread that serves all requests, so without
 * this order a list would block the service until its end.
 *
 * After each chunk the event loop reads the requests that have arrived. The next chunk waits until all of these have a
 * response, but at most `maxWaitMs`. So a request that ends within this time waits for at most one chunk, whatever the
 * number of lists.
 */
export class ListTurns {
  /**
   * The lists that wait for a turn, by partner, in the order of their calls. The partner with the next turn is first.
   */
  private readonly lists = new Map<number | null, (() => void)[]>();
  /** The requests that arrived after the next turn began to wait. The turn after that waits for them. */
  private newer = new Set<PendingRequest>();
  /** The requests that the next turn waits for. */
  private older = new Set<PendingRequest>();
  private state: 'idle' | 'scheduled' | 'waiting for requests' | 'taken' = 'idle';
  private waitEnd: NodeJS.Timeout | undefined;

  /** @param chunkRows number of rows that a list may read and write in one turn. */
  constructor(
    readonly chunkRows: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** Registers a request. The next turn waits until its `end`. */
  begin(): PendingRequest {
    const pending = new PendingRequest(this);
    this.newer.add(pending);
    return pending;
  }

  /** Called by `PendingRequest` only. */
  end(pending: PendingRequest): void {
    this.newer.delete(pending);
    if (this.older.delete(pending) && this.older.size === 0 && this.state === 'waiting for requests') this.grant();
  }

  /** Waits for a turn. The caller must call `release` afterwards. @param partnerId null: an operator */
  async acquire(partnerId: number | null): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = this.lists.get(partnerId) ?? [];
      waiting.push(resolve);
      this.lists.set(partnerId, waiting);
      if (this.state === 'idle') this.schedule();
    });
  }

  release(): void {
    this.state = 'idle';
    if (this.lists.size > 0) this.schedule();
  }

  /** Node reads arrived requests before it runs a callback of `setImmediate`. */
  private schedule(): void {
    this.state = 'scheduled';
    setImmediate(() => {
      this.older = this.newer;
      this.newer = new Set();
      if (this.older.size === 0) this.grant();
      else {
        this.state = 'waiting for requests';
        this.waitEnd = setTimeout(() => this.grant(), this.maxWaitMs);
      }
    });
  }

  private grant(): void {
    clearTimeout(this.waitEnd);
    this.older = new Set();
    this.state = 'taken';
    const next = this.takeNext();
    if (next === undefined) this.state = 'idle';
    else next();
  }

  private takeNext(): (() => void) | undefined {
    const [first] = this.lists;
    if (first === undefined) return undefined;
    const [partnerId, waiting] = first;
    this.lists.delete(partnerId);
    const next = waiting.shift();
    if (waiting.length > 0) this.lists.set(partnerId, waiting);
    return next;
  }
}

/** One request that has no response yet. */
export class PendingRequest {
  private partnerId: number | null = null;

  constructor(private readonly turns: ListTurns) {}

  setPartner(partnerId: number | null): void {
    this.partnerId = partnerId;
  }

  get chunkRows(): number {
    return this.turns.chunkRows;
  }

  /** Marks the request as done, or as a list, which other lists do not wait for. */
  end(): void {
    this.turns.end(this);
  }

  /** Waits for a turn, then runs the work for one chunk of a list. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.end();
    await this.turns.acquire(this.partnerId);
    try {
      return await work();
    } finally {
      this.turns.release();
    }
  }
}
