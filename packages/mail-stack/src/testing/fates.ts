/** A delivery attempt of a message to one recipient. */
export interface Fate {
  /** As given by the sender, and as it became. */
  original: string;
  status: string;
  line: string;
}

/** Returns the delivery attempts of a message in the log. */
export function fatesOf(log: string, queueId: string): Fate[] {
  return [
    ...log.matchAll(new RegExp(`: ${queueId}: to=<([^>]*)>,(?: orig_to=<([^>]*)>,)?.* status=(\\w+).*`, 'g')),
  ].map(([line, to = '', original, status = '']) => ({ original: (original ?? to).toLowerCase(), status, line }));
}
