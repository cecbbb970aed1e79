/**
 * Reads the rows of a JSON list while it arrives, so that a list of any length is never in memory as a whole. The rows
 * are objects.
 */
export async function* streamedRows<Row>(body: ReadableStream<Uint8Array>): AsyncGenerator<Row> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const rows = new RowSplitter();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      for (const row of rows.add(text)) yield JSON.parse(row) as Row;
      if (done) return;
    }
  } finally {
    // Ends the request when the reader leaves before the end.
    await reader.cancel().catch(() => undefined);
  }
}

/** Cuts the text of a JSON list into the texts of its objects, wherever the chunks of the text end. */
class RowSplitter {
  /** The text of the row that has begun. */
  private begun = '';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** @returns the rows that end in the text. */
  add(text: string): string[] {
    const ended: string[] = [];
    let start = this.depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at += 1) {
      const change = this.changeOfDepth(text.charCodeAt(at));
      if (change > 0 && this.depth === 0) start = at;
      this.depth += change;
      if (change < 0 && this.depth === 0) {
        ended.push(this.begun + text.slice(start, at + 1));
        this.begun = '';
        start = -1;
      }
    }
    if (start !== -1) this.begun += text.slice(start);
    return ended;
  }

  private changeOfDepth(code: number): -1 | 0 | 1 {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (code === BACKSLASH) this.isEscaped = true;
      else if (code === QUOTE) this.isInString = false;
      return 0;
    }
    if (code === QUOTE) this.isInString = true;
    if (code === OPENING) return 1;
    return code === CLOSING ? -1 : 0;
  }
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, 0x7b, 0x7d];
