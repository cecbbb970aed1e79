/**
 * How long the lists wait for requests that arrived before them, milliseconds. Most are answered much sooner; one that
 * waits for something else (a hash, a name server) is waited for once and then no more.
 */
const PATIENCE_MS = 25;

/**
 * Lets the lists of a process go on one chunk at a time, in turn, and the requests that arrived meanwhile first. SQLite
 * answers on the thread that serves everybody, so a list that took the next chunk as soon as it could would stop the
 * service until it ended.
 *
 * Between two chunks, whichever lists they are of, the event loop makes a turn, so that what has arrived is read; then every
 * request that arrived since the chunk before is answered, or has been waited for during `patienceMs`. So a
 * request that arrives after a chunk is answered before the next but one, and forty lists cost it no more than one does.
 */
export class ListTurns {
  /** The lists that wait, first come first served. */
  private readonly waiting: (() => void)[] = [];
  /** The requests that arrived since the last turn began to be prepared. */
  private arrived = new Set<Visit>();
  /** The requests that the next turn waits for. */
  private before = new Set<Visit>();
  private state: 'idle' | 'scheduled' | 'waiting for requests' | 'taken' = 'idle';
  private patience: NodeJS.Timeout | undefined;

  /** @param chunkRows how many rows a list may read and write in one turn */
  constructor(
    readonly chunkRows: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** A request has arrived. It counts as waiting until it leaves. */
  arrive(): Visit {
    const visit = new Visit(this);
    this.arrived.add(visit);
    return visit;
  }

  /** For `Visit` alone. */
  leave(visit: Visit): void {
    this.arrived.delete(visit);
    if (this.before.delete(visit) && this.before.size === 0 && this.state === 'waiting for requests') this.grant();
  }

  /** Waits for a turn. Whoever gets it has to give it back. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      if (this.state === 'idle') this.schedule();
    });
  }

  giveBack(): void {
    this.state = 'idle';
    if (this.waiting.length > 0) this.schedule();
  }

  /** What has arrived is read before a callback of `setImmediate` runs. */
  private schedule(): void {
    this.state = 'scheduled';
    setImmediate(() => {
      this.before = this.arrived;
      this.arrived = new Set();
      if (this.before.size === 0) this.grant();
      else {
        this.state = 'waiting for requests';
        this.patience = setTimeout(() => this.grant(), this.patienceMs);
      }
    });
  }

  private grant(): void {
    clearTimeout(this.patience);
    this.before = new Set();
    this.state = 'taken';
    const next = this.waiting.shift();
    if (next === undefined) this.state = 'idle';
    else next();
  }
}

/** One request, from its arrival on. */
export class Visit {
  constructor(private readonly turns: ListTurns) {}

  get chunkRows(): number {
    return this.turns.chunkRows;
  }

  /** The request is answered, or becomes a list that takes turns. */
  leave(): void {
    this.turns.leave(this);
  }

  /** Runs the work for one chunk of a list in a turn of its own. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.leave();
    await this.turns.take();
    try {
      return await work();
    } finally {
      this.turns.giveBack();
    }
  }
}
