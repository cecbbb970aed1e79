/** A map that forgets the oldest entries beyond `most`. An entry that is set again is the newest one. */
export class NewestEntries<Value> extends Map<string, Value> {
  /** Goes on where it stopped: another one would first pass the places of all entries that were removed before. */
  private readonly oldest = this.keys();

  constructor(private readonly most: number) {
    super();
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.most) this.delete(this.oldest.next().value ?? '');
    return this;
  }
}
