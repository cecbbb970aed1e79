import { EntriesByAge } from './entries-by-age.js';

/** A map that forgets the oldest entries beyond `most`. An entry that is set again is the newest one. */
export class NewestEntries<Value> extends EntriesByAge<Value> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: string, value: Value): this {
    super.set(key, value);
    if (this.size > this.most && this.oldest !== undefined) this.delete(this.oldest);
    return this;
  }
}
