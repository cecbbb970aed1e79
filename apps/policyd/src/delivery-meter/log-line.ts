/**
 * Returns an expression for a line that a Dovecot process wrote for a mailbox: a time in the format of Dovecot's own
 * log or of syslog (`host dovecot: `), the process, the mailbox, whose domain is the first group, and the text.
 */
export function lineOf(process: string, text: string): RegExp {
  return new RegExp(
    String.raw`^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT\S+) (?:\S+ dovecot(?:\[\d+\])?: )?(?:${process})\([^\s()@]+@([^\s()@]+)\)<\d+><[^<>\s]+>: (?:Info: )?${text}$`,
  );
}
