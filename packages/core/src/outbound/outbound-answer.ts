import type { DomainName } from '../domains/domain-name.js';
import type { Verdict } from './decide-outbound.js';
import type { OutboundStatus } from './outbound-settings.js';
import type { RelayFields } from './relay-fields.js';

/** A verdict with the state of the domain after it. */
export interface OutboundAnswer extends Verdict {
  name: DomainName;
  sentToday: number;
  sentThisMonth: number;
  dailyLimit: number;
  monthlyLimit: number;
  outboundStatus: OutboundStatus;
  verified: boolean;
  /** The sum of `countsAs` over the recipients. Present when recipients were given. */
  count?: number;
  /** Present for forwarded mail. */
  forwardedToday?: number;
  /** Present with the reason `sender_not_allowed`: the address that the login may not use. */
  foreignSender?: string;
}

/** The answer to an increment. Relay fields and headroom are not stored: a repeat gets those of its own time. */
export interface IncrementAnswer extends OutboundAnswer {
  /** The number of outside recipients that the sender may still send to after this increment, as in a preview. */
  headroom: number | null;
  /** Null for a relay provider without configuration sets. */
  relay: RelayFields | null;
}

export interface TransferAnswer {
  name: DomainName;
  bytes: number;
  bytesThisMonth: number;
}

/** A message with an id that was counted less than 24 h ago. A repeat gets the same answer. */
export interface CountedMessage {
  kind: 'message';
  count: number;
  /** 32 hexadecimal digits; null for a plain increment. */
  fingerprint: string | null;
  answer: OutboundAnswer;
}

/** Received bytes with an id that were counted less than 24 h ago. */
interface CountedTransfer {
  kind: 'transfer';
  answer: TransferAnswer;
}

export type CountedIncrement = CountedMessage | CountedTransfer;
