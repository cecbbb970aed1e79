/**
 * A map that finds its oldest entry at once. The iteration of a `Map` from its start passes over the places of all
 * entries that were deleted, which takes 100 µs in a large map; so the iterator is kept. Each value is an object of its
 * own.
 */
export class AgedMap<Key, Value extends object> {
  private readonly entries = new Map<Key, Value>();
  private cursor = this.entries.entries();
  private head: [Key, Value] | null = null;

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  /** Adds the entry as the newest one. */
  put(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
  }

  delete(key: Key): void {
    this.entries.delete(key);
  }

  oldest(): [Key, Value] | null {
    while (this.head === null || this.entries.get(this.head[0]) !== this.head[1]) {
      if (this.entries.size === 0) return null;
      const next = this.cursor.next();
      if (next.done === true) this.cursor = this.entries.entries();
      else this.head = next.value;
    }
    return this.head;
  }
}
