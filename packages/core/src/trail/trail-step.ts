import { hash } from 'node:crypto';
import type { DomainName } from '../domains/domain-name.js';

/** The states of a message, in rising order: of two, the later one in this list holds, among equals the newer. */
export const TRAIL_STATES = [
  'accepted',
  'deferred',
  'refused',
  'stored',
  'forwarded',
  'relayed',
  'delivered',
  'bounced',
  'complained',
] as const;
export type TrailState = (typeof TRAIL_STATES)[number];

/** Ends of the way through our servers: none of them comes after another, so the newer one holds. */
const RANKS: Record<TrailState, number> = {
  accepted: 0,
  deferred: 1,
  refused: 2,
  stored: 2,
  forwarded: 2,
  relayed: 2,
  delivered: 3,
  bounced: 4,
  complained: 5,
};

export const TRAIL_DIRECTIONS = ['out', 'in'] as const;
export type TrailDirection = (typeof TRAIL_DIRECTIONS)[number];

/** The most characters of an address, a Message-ID, a reason and a detail. */
export const MAX_TRAIL_ADDRESS = 320;
export const MAX_TRAIL_MESSAGE_ID = 250;
export const MAX_TRAIL_REASON = 64;
export const MAX_TRAIL_DETAIL = 128;
export const MAX_TRAIL_HOST = 255;

/** SES accepts 256 characters as the value of a tag. */
const MAX_TAG = 200;

/** What a mail server did with a message for one recipient. */
export interface TrailStep {
  host: string;
  /** Null: it was refused before it had a queue file. */
  queueId: string | null;
  at: Date;
  step: TrailState;
  direction: TrailDirection;
  /** The domain here whose message it is: of the login, or of the recipient. */
  domain: DomainName;
  /** The envelope sender as `comparedAddress` gives it; empty for a notice. */
  sender: string;
  /** As given at RCPT, as `comparedAddress` gives it. */
  recipient: string;
  size: number | null;
  messageId: string | null;
  reason: string | null;
  detail: string | null;
}

export function rankOf(state: TrailState): number {
  return RANKS[state];
}

/**
 * The value of the tag `mailstead` of a message. The tag of a long host name keeps the queue id at its end.
 */
export function trailTag(host: string, queueId: string): string {
  return `${host}-${queueId}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(-MAX_TAG);
}

/** What the row of a message, recipient and direction is found by: 22 letters. */
export function rowKeyOf(tag: string, recipient: string, direction: TrailDirection): string {
  return hash('sha256', JSON.stringify([tag, recipient, direction]), 'base64url').slice(0, 22);
}

/** Not by `parseDomainName`, which takes long for other letters: a mail server knows A-labels only. */
export function domainOfAddress(address: string): DomainName | null {
  const name = address.slice(address.lastIndexOf('@') + 1);
  return /^[a-z0-9.-]{1,253}$/.test(name) ? (name as DomainName) : null;
}

/**
 * The id of the message at the relay, in the relay's answer to it (`250 Ok <id>`, as SES writes it).
 */
export function relayIdOf({ step, detail }: TrailStep): string | null {
  if (step !== 'relayed' || detail === null) return null;
  // Of what an alias made of it, the text begins with the address.
  return /(?:^|: )250 Ok ([0-9a-zA-Z-]{16,100})$/.exec(detail)?.[1] ?? null;
}

/** The key of a row that is not found by its queue id. */
export function hashOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}
