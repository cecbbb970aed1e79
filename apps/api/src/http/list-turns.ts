/**
 * How long the next chunk waits for requests that arrived before it, milliseconds. Most are answered much sooner; one that
 * itself waits for something (a hash, a name server) delays one chunk and then no more.
 */
const MAX_WAIT_MS = 25;

/**
 * Reads and writes the lists of a process one chunk at a time, in turn, after the requests that arrived meanwhile. SQLite
 * answers on the thread that serves everybody, so a list that took its next chunk as soon as it could would stop the
 * service until it ended.
 *
 * Between two chunks, of whichever lists, the event loop makes a turn, so that what has arrived is read; then the next chunk
 * waits until every request that arrived since the chunk before is answered, `maxWaitMs` at most. So a request that
 * arrives after a chunk is answered before the next but one, and forty lists delay it no more than one does.
 */
export class ListTurns {
  /** The lists that wait for a turn, first come first served. */
  private readonly lists: (() => void)[] = [];
  /** The requests that arrived since the next turn began to wait; the turn after it waits for them. */
  private newer = new Set<PendingRequest>();
  /** The requests that the next turn waits for. */
  private older = new Set<PendingRequest>();
  private state: 'idle' | 'scheduled' | 'waiting for requests' | 'taken' = 'idle';
  private waitEnd: NodeJS.Timeout | undefined;

  /** @param chunkRows how many rows a list may read and write in one turn */
  constructor(
    readonly chunkRows: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** A request has arrived. The next turn waits for it until its `end`. */
  begin(): PendingRequest {
    const pending = new PendingRequest(this);
    this.newer.add(pending);
    return pending;
  }

  /** For `PendingRequest` alone. */
  end(pending: PendingRequest): void {
    this.newer.delete(pending);
    if (this.older.delete(pending) && this.older.size === 0 && this.state === 'waiting for requests') this.grant();
  }

  /** Waits for a turn. Whoever gets it has to give it back. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.lists.push(resolve);
      if (this.state === 'idle') this.schedule();
    });
  }

  giveBack(): void {
    this.state = 'idle';
    if (this.lists.length > 0) this.schedule();
  }

  /** What has arrived is read before a callback of `setImmediate` runs. */
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
    const next = this.lists.shift();
    if (next === undefined) this.state = 'idle';
    else next();
  }
}

/** One request that is not answered yet. */
export class PendingRequest {
  constructor(private readonly turns: ListTurns) {}

  get chunkRows(): number {
    return this.turns.chunkRows;
  }

  /** The request is answered, or has become a list that takes turns. */
  end(): void {
    this.turns.end(this);
  }

  /** Runs the work for one chunk of a list in a turn of its own. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.end();
    await this.turns.take();
    try {
      return await work();
    } finally {
      this.turns.giveBack();
    }
  }
}
