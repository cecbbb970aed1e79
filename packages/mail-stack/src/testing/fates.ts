/** A delivery attempt of a message to one recipient. */
export interface Fate {
  /** As given by the sender, in lower case. */
  original: string;
  /** What aliases made of it, in lower case. */
  to: string;
  status: string;
  line: string;
}

/** Returns the delivery attempts of a message in the log. */
export function fatesOf(log: string, queueId: string): Fate[] {
  return [
    ...log.matchAll(new RegExp(`: ${queueId}: to=<([^>]*)>,(?: orig_to=<([^>]*)>,)?.* status=(\\w+).*`, 'g')),
  ].map(([line, to = '', original, status = '']) => ({
    original: (original ?? to).toLowerCase(),
    to: to.toLowerCase(),
    status,
    line,
  }));
}
