/** The header fields that name a sender. */
export const SENDER_FIELDS = ['from', 'sender', 'resent-from', 'resent-sender'] as const;
export type SenderField = (typeof SENDER_FIELDS)[number];
/** Those that are read. */
const READ_FIELDS = [...SENDER_FIELDS, 'content-type', 'auto-submitted'] as const;
type ReadField = (typeof READ_FIELDS)[number];

/** A field to remove: its name as written, and its position among the fields of that name, from 1. */
export interface FieldPosition {
  name: string;
  occurrence: number;
}

/**
 * With `X-SES-` fields a message could choose the relay's identity, configuration set and tags (SES). Postfix's smtpd
 * makes `X-Mailbox-Line` of each line `From …` before the header, where programs for mbox files read a sender.
 */
const REMOVED_FIELD = /^(x-ses-.*|x-mailbox-line)$/;
/**
 * RFC 5322's 998 bytes of a line, without the colon. Mail servers fold a longer line inside the name, and for some
 * programs, such as Python's `email`, the header ends there: they see no From field.
 */
const MAX_NAME_BYTES = 997;
const MAX_BYTES = 262_144;
const MAX_REMOVED_FIELDS = 100;

/** Collects the fields of a message that are read, and those to remove. Accepts at most 256 KiB of header. */
export class MessageHeaders {
  private readonly read = new Map<ReadField, Buffer[]>();
  private readonly seen = new Map<string, number>();
  private readonly removed: FieldPosition[] = [];
  private bytes = 0;
  private longestName = 0;

  /** @param name as written; white space at its end is ignored. */
  add(name: string, value: Buffer): void {
    this.bytes += name.length + value.length;
    if (this.tooLarge) {
      this.read.clear();
      return;
    }
    const written = name.replace(/(?<![ \t])[ \t]+$/, '');
    this.longestName = Math.max(this.longestName, written.length);
    const field = written.toLowerCase();
    if (isReadField(field)) {
      const values = this.read.get(field) ?? [];
      values.push(Buffer.from(value));
      this.read.set(field, values);
    } else if (REMOVED_FIELD.test(field)) {
      const occurrence = (this.seen.get(field) ?? 0) + 1;
      this.seen.set(field, occurrence);
      this.removed.push({ name: written, occurrence });
    }
  }

  get tooLarge(): boolean {
    return this.bytes > MAX_BYTES || this.removed.length > MAX_REMOVED_FIELDS;
  }

  get hasLongName(): boolean {
    return this.longestName > MAX_NAME_BYTES;
  }

  /** Returns the values of a field as bytes, in order. */
  values(field: ReadField): readonly Buffer[] {
    return this.read.get(field) ?? [];
  }

  /** The fields to remove, last first, so that the positions stay valid after each removal. */
  get removedFields(): readonly FieldPosition[] {
    return this.removed.toReversed();
  }
}

function isReadField(field: string): field is ReadField {
  return READ_FIELDS.some((name) => name === field);
}
