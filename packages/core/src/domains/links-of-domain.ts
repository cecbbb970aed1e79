/** The portal links of a domain. Those of a deleted domain go with its row. */
export abstract class LinksOfDomain {
  /** Ends them for ever, with their sessions. Call it inside the unit of work in which the domain moves. */
  abstract removeOfDomain(domainId: number): Promise<void>;
}
