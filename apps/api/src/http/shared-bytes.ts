/**
 * The bytes of each file that was asked for, once. All responses send the same buffer, so that a client that does not
 * read its response holds no copy.
 */
export class SharedBytes {
  private readonly files = new Map<string, Promise<Buffer>>();

  /** @param read reads a file; after an error it is called again */
  constructor(private readonly read: (name: string) => Promise<Buffer>) {}

  /** @throws the errors of `read` */
  async of(name: string): Promise<Buffer> {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const reading = this.read(name);
    this.files.set(name, reading);
    try {
      return await reading;
    } catch (error) {
      this.files.delete(name);
      throw error;
    }
  }
}
