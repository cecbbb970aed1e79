import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { OUTBOUND_ACTIONS, OUTBOUND_REASONS } from '@mailstead/core/outbound/decide-outbound';
import type {
  CountedIncrement,
  CountedMessage,
  OutboundAnswer,
  TransferAnswer,
} from '@mailstead/core/outbound/outbound-answer';
import type { OutboundStatus } from '@mailstead/core/outbound/outbound-settings';

/*
 * The outcome of a counted increment in about 30 bytes: a row is read back by every process for 24 h, and a platform
 * may count millions a day. The first byte is the format. The numbers below are stored, so none may change its meaning.
 */

const MESSAGE = 1;
const TRANSFER = 2;

const ACTIONS: Record<(typeof OUTBOUND_ACTIONS)[number], number> = { accept: 0, defer: 1, reject: 2 };
const STATUSES: Record<OutboundStatus, number> = { active: 0, blocked: 1 };
const REASONS: Record<(typeof OUTBOUND_REASONS)[number] | 'none', number> = {
  none: 0,
  domain_suspended: 1,
  outbound_blocked: 2,
  not_verified: 3,
  message_exceeds_limit: 4,
  mailbox_limit: 5,
  daily_limit: 6,
  monthly_limit: 7,
  transfer_limit: 8,
  // Such a message is not counted, so its outcome is never stored.
  sender_not_allowed: 9,
  // Only previews have it.
  recipient_suppressed: 10,
  relay_paused: 11,
  // Such a message is not counted either.
  session_ended: 12,
};

const ALLOWED = 1;
const VERIFIED = 2;
const HAS_COUNT = 4;
const HAS_FORWARDED = 8;
const HAS_FINGERPRINT = 16;
const FINGERPRINT_BYTES = 16;

export function packIncrement(counted: CountedIncrement): Buffer {
  return counted.kind === 'transfer' ? packTransfer(counted.answer) : packMessage(counted);
}

/** @param name the domain of the increment, which is not stored */
export function unpackIncrement(packed: Buffer, name: DomainName): CountedIncrement {
  const reader = new Reader(packed);
  const format = reader.byte();
  if (format === MESSAGE) return unpackMessage(reader, name);
  if (format !== TRANSFER) throw new Error(`A counted increment has the unknown format ${format}`);
  return { kind: 'transfer', answer: { name, bytes: reader.integer(), bytesThisMonth: reader.integer() } };
}

function packTransfer({ bytes, bytesThisMonth }: TransferAnswer): Buffer {
  const packed = [TRANSFER];
  pushInteger(packed, bytes);
  pushInteger(packed, bytesThisMonth);
  return Buffer.from(packed);
}

function packMessage({ count, fingerprint, answer }: CountedMessage): Buffer {
  const flags =
    (answer.allowed ? ALLOWED : 0) +
    (answer.verified ? VERIFIED : 0) +
    (answer.count === undefined ? 0 : HAS_COUNT) +
    (answer.forwardedToday === undefined ? 0 : HAS_FORWARDED) +
    (fingerprint === null ? 0 : HAS_FINGERPRINT);
  const packed = [
    MESSAGE,
    flags,
    ACTIONS[answer.action],
    STATUSES[answer.outboundStatus],
    REASONS[answer.reason ?? 'none'],
  ];
  const { sentToday, sentThisMonth, dailyLimit, monthlyLimit } = answer;
  for (const number of [count, sentToday, sentThisMonth, dailyLimit, monthlyLimit]) pushInteger(packed, number);
  if (answer.count !== undefined) pushInteger(packed, answer.count);
  if (answer.forwardedToday !== undefined) pushInteger(packed, answer.forwardedToday);
  if (fingerprint !== null) packed.push(...Buffer.from(fingerprint, 'hex'));
  const fixed = Buffer.from(packed);
  return answer.limitedBy === null ? fixed : Buffer.concat([fixed, Buffer.from(answer.limitedBy, 'latin1')]);
}

function unpackMessage(reader: Reader, name: DomainName): CountedMessage {
  const flags = reader.byte();
  const action = keyOf(ACTIONS, reader.byte());
  const outboundStatus = keyOf(STATUSES, reader.byte());
  const reason = keyOf(REASONS, reader.byte());
  const count = reader.integer();
  const answer: OutboundAnswer = {
    name,
    allowed: (flags & ALLOWED) !== 0,
    action,
    reason: reason === 'none' ? null : reason,
    limitedBy: null,
    sentToday: reader.integer(),
    sentThisMonth: reader.integer(),
    dailyLimit: reader.integer(),
    monthlyLimit: reader.integer(),
    outboundStatus,
    verified: (flags & VERIFIED) !== 0,
  };
  if ((flags & HAS_COUNT) !== 0) answer.count = reader.integer();
  if ((flags & HAS_FORWARDED) !== 0) answer.forwardedToday = reader.integer();
  const fingerprint = (flags & HAS_FINGERPRINT) === 0 ? null : reader.bytes(FINGERPRINT_BYTES).toString('hex');
  const limitedBy = reader.rest().toString('latin1');
  if (limitedBy !== '') answer.limitedBy = limitedBy as DomainName;
  return { kind: 'message', count, fingerprint, answer };
}

/** Seven bits a byte, the lowest first. Divides, because shifts are exact up to 32 bits only. */
function pushInteger(packed: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) packed.push((rest % 128) + 128);
  packed.push(rest);
}

class Reader {
  private at = 0;

  constructor(private readonly packed: Buffer) {}

  byte(): number {
    this.at += 1;
    return this.packed.readUInt8(this.at - 1);
  }

  integer(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  bytes(length: number): Buffer {
    this.at += length;
    return this.packed.subarray(this.at - length, this.at);
  }

  rest(): Buffer {
    return this.packed.subarray(this.at);
  }
}

function keyOf<Key extends string>(table: Record<Key, number>, number: number): Key {
  for (const key in table) if (table[key] === number) return key;
  throw new Error(`A counted increment has the unknown number ${number}`);
}
