/** What Postfix did with a message, as one line of its log says. */
export type PostfixEvent =
  /** A queue file was made. */
  | { kind: 'begun'; queueId: string }
  | { kind: 'named'; queueId: string; messageId: string | null }
  /** The queue manager took it up, also again after a deferral. */
  | { kind: 'queued'; queueId: string; sender: string; size: number; recipients: number }
  | Attempt
  | { kind: 'expired'; queueId: string }
  | { kind: 'removed'; queueId: string }
  | Refused;

export interface Attempt {
  kind: 'attempt';
  queueId: string;
  /** As given at RCPT. */
  recipient: string;
  /** The recipient that an alias made of it; null without one. */
  madeByAlias: string | null;
  status: 'sent' | 'deferred' | 'bounced';
  dsn: string;
  answer: string;
}

export interface Refused {
  kind: 'refused';
  /** Null: before it had a queue file. */
  queueId: string | null;
  sender: string;
  recipient: string;
  reason: string;
  text: string;
}

/** A line that has two readings, or imitates one that Postfix writes. */
export const AMBIGUOUS = 'ambiguous';

/** A quoted local part has its end, whatever is in it. Others have no character that could end the address. */
const ADDRESS = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s<>"(),;\\@]+)@(?:[A-Za-z0-9._-]+|\[[^\s<>"\[\]]*\])`;
const QUEUE_ID = '([0-9A-Za-z]{6,32})';
const CLIENT = String.raw`[^\s\[\]]+\[([^\s\[\]]+)\](?::\d+)?`;

const BEGUN = new RegExp(String.raw`^${QUEUE_ID}: client=${CLIENT}(?:$|, )`);
const NAMED = new RegExp(`^${QUEUE_ID}: message-id=(.*)$`, 's');
const QUEUED = new RegExp(
  String.raw`^${QUEUE_ID}: from=<(${ADDRESS}|)>, size=(\d{1,12}), nrcpt=(\d{1,6}) \(queue active\)$`,
  's',
);
const ATTEMPT = new RegExp(
  String.raw`^${QUEUE_ID}: to=<(${ADDRESS})>, (?:orig_to=<(${ADDRESS})>, )?relay=[^\s,]+, (?:conn_use=\d+, )?delay=[\d.]+, delays=[\d./]+, dsn=(\d\.\d{1,3}\.\d{1,3}), (?:[a-z_]+=[^\s,"<>()]+, )*status=(sent|deferred|bounced) \((.*)$`,
  's',
);
const EXPIRED = new RegExp(String.raw`^${QUEUE_ID}: from=<(?:${ADDRESS}|)>, status=expired, returned to sender$`, 's');
const REMOVED = new RegExp(`^${QUEUE_ID}: removed$`);
const REFUSED = new RegExp(
  String.raw`^(NOQUEUE|${QUEUE_ID}): (?:milter-)?reject: (?:RCPT|DATA|END-OF-MESSAGE) from ${CLIENT}: (?:[45]\d\d )?([45]\.\d{1,3}\.\d{1,3}) (.*)$`,
  's',
);
const REFUSED_OF = new RegExp(String.raw`^; from=<(${ADDRESS}|)> to=<(${ADDRESS})> proto=[A-Z]+ helo=<(.*)$`, 's');
/** The rest of the line after the beginning of the greeting. */
const GREETING =
  /^[^\s<>]*>(?: sasl_method=[^\s<>]+)?(?: sasl_username=(?:<[^\s<>]*>|[^\s<>]+))?(?: sasl_sender=[^\s<>]+)?$/;
const END = '; from=<';
/** After the address. */
const UNKNOWN = /^: Recipient address rejected: User unknown\b/;

/** Which program writes which lines. */
const READERS: Readonly<Record<string, readonly ((text: string) => PostfixEvent | typeof AMBIGUOUS | null)[]>> = {
  smtpd: [readBegun, readRefused],
  cleanup: [readNamed, readRefused],
  pickup: [],
  // It defers by itself what waits for a destination that does not answer.
  qmgr: [readQueued, readRemoved, readExpired, readAttempt],
  lmtp: [readAttempt],
  smtp: [readAttempt],
  error: [readAttempt],
};

/** @returns null for a line that says nothing about a message */
export function readPostfixEvent(program: string, text: string): PostfixEvent | typeof AMBIGUOUS | null {
  for (const read of READERS[program] ?? []) {
    const event = read(text);
    if (event !== null) return event;
  }
  return null;
}

function readBegun(text: string): PostfixEvent | null {
  const [, queueId] = BEGUN.exec(text) ?? [];
  return queueId === undefined ? null : { kind: 'begun', queueId };
}

/** The rest of the line is the sender's text. */
function readNamed(text: string): PostfixEvent | null {
  const [, queueId, messageId = ''] = NAMED.exec(text) ?? [];
  if (queueId === undefined) return null;
  return { kind: 'named', queueId, messageId: /^<[^<>\s]{1,248}>$/.test(messageId) ? messageId : null };
}

function readQueued(text: string): PostfixEvent | typeof AMBIGUOUS | null {
  const [, queueId, sender = '', size, recipients] = QUEUED.exec(text) ?? [];
  if (queueId === undefined) return text.includes(' from=<') && text.endsWith('(queue active)') ? AMBIGUOUS : null;
  return { kind: 'queued', queueId, sender, size: Number(size), recipients: Number(recipients) };
}

function readExpired(text: string): PostfixEvent | null {
  const [, queueId] = EXPIRED.exec(text) ?? [];
  return queueId === undefined ? null : { kind: 'expired', queueId };
}

function readRemoved(text: string): PostfixEvent | null {
  const [, queueId] = REMOVED.exec(text) ?? [];
  return queueId === undefined ? null : { kind: 'removed', queueId };
}

/** Everything before the answer is fixed; the answer is the rest of the line, which may be cut. */
function readAttempt(text: string): PostfixEvent | typeof AMBIGUOUS | null {
  const [, queueId, to = '', original, dsn = '', status, answer = ''] = ATTEMPT.exec(text) ?? [];
  if (queueId === undefined) return /^\w+: to=</.test(text) ? AMBIGUOUS : null;
  return {
    kind: 'attempt',
    queueId,
    recipient: original ?? to,
    madeByAlias: original === undefined ? null : to,
    status: status as Attempt['status'],
    dsn,
    answer: answer.replace(/\)$/, ''),
  };
}

/**
 * The text may have words of the recipient, and the greeting is the client's: the line counts only when there is one
 * place at which its end can begin, whether it begins there or not, and nothing strange in the greeting.
 */
function readRefused(text: string): PostfixEvent | typeof AMBIGUOUS | null {
  const [, where, , client = '', dsn = '', rest = ''] = REFUSED.exec(text) ?? [];
  if (where === undefined) return null;
  const end = rest.indexOf(END);
  if (end === -1 || rest.includes(END, end + 1)) return AMBIGUOUS;
  const [, sender = '', recipient, greeting = ''] = REFUSED_OF.exec(rest.slice(end)) ?? [];
  if (recipient === undefined || !GREETING.test(greeting)) return AMBIGUOUS;
  const said = rest.slice(0, end);
  const isUnknown = UNKNOWN.test(said.slice(said.lastIndexOf('>') + 1));
  const reason = /\[([a-z_]{1,64})\]$/.exec(said)?.[1] ?? (isUnknown ? 'unknown_recipient' : dsn);
  const queueId = where === 'NOQUEUE' ? null : where;
  return { kind: 'refused', queueId, sender, recipient, reason, text: withoutClient(said, client) };
}

/** The trail has no name and no address of the network that a message came from. */
function withoutClient(said: string, address: string): string {
  const text = said
    .replace(/^<[^<>]*>: (?=(?:Client host|Helo command) rejected: )/, '')
    .replace(/(?<=\bClient host \[)[^\s[\]]*(?=\] blocked )/, 'client');
  return /[.:]/.test(address) ? text.replaceAll(address, 'client') : text;
}
