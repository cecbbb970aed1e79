/** A mailbox whose mail is stored. */
export interface StoredMailbox {
  email: string;
  /** The random 32 hex digits of the mailbox row; its mail is stored in `<root>/<first 2>/<all 32>`. */
  home: string;
}
