/** A map that finds its oldest entry in constant time. An entry that is set again is the newest one. */
export class EntriesByAge<Value> extends Map<string, Value> {
  /** Goes on where it stopped: another one would first pass the places of all entries that were removed before. */
  private readonly order = this.keys();
  private first: string | undefined;

  /** The key of the entry that was set the longest ago; undefined without entries. */
  get oldest(): string | undefined {
    // At its end an iterator stays there, so it is not asked without entries.
    if (this.first === undefined && this.size > 0) this.first = this.order.next().value;
    return this.first;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (key === this.first) this.first = undefined;
    return super.delete(key);
  }

  override clear(): void {
    this.first = undefined;
    super.clear();
  }
}
