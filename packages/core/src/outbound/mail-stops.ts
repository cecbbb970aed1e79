/** What stops mail of a domain that the mail servers have accepted. */
export interface MailStops {
  domainId: number;
  /** Whether the mail servers deliver its mail on this platform. */
  hosted: boolean;
  /**
   * Whether mail of its users to the outside waits: it, its partner or (for abuse) its parent is suspended, or the
   * relay provider does not send mail of its partner.
   */
  sendingWaits: boolean;
  /** Whether mail to it waits: it, its parent (for abuse) or, in the stage `all`, its partner is suspended. */
  receivingWaits: boolean;
}

/** Reads what stops mail of domains, by the rule of the view `mta_domain_state`, also of domains that are not open. */
export abstract class MailStopsReader {
  /** @returns no entry for a domain that does not exist */
  abstract ofDomains(names: readonly string[]): Promise<ReadonlyMap<string, MailStops>>;
}
