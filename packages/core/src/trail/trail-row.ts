import type { DomainName } from '../domains/domain-name.js';
import { rankOf, relayIdOf, type TrailDirection, type TrailState, type TrailStep } from './trail-step.js';

/** The most steps that a row keeps: the first and the last ones. */
const MAX_STEPS = 20;

/** The domain and the partner of a message at its time. */
export interface TrailOwner {
  domainId: number;
  partnerId: number;
}

export interface ShownStep {
  at: Date;
  step: TrailState;
  detail: string | null;
}

/** What is known of a message and one of its recipients. */
export interface TrailRow extends TrailOwner {
  /** Sorts by `at`. */
  id: string;
  key: string;
  at: Date;
  direction: TrailDirection;
  domain: DomainName;
  sender: string;
  recipient: string;
  size: number | null;
  state: TrailState;
  /** When the state was reported. */
  stateAt: Date;
  reason: string | null;
  messageId: string | null;
  /** The id of the message at the relay. */
  relayId: string | null;
  lastAt: Date;
  /** More than one only for refusals. */
  count: number;
  steps: ShownStep[];
}

/** The mailbox here: of the sender or of the recipient. */
export function mailboxOf({ direction, sender, recipient }: Pick<TrailRow, 'direction' | 'sender' | 'recipient'>) {
  return direction === 'out' ? sender : recipient;
}

/** 11 hexadecimal digits of the time, which are enough until the year 2527, and the key. */
function trailIdOf(at: Date, key: string): string {
  return `${timeOfId(at)}${key}`;
}

/** The beginning of the ids of a moment. */
export function timeOfId(at: Date): string {
  return Math.max(0, at.getTime()).toString(16).padStart(11, '0');
}

/** The time in an id. @returns null when the text is no id */
export function timeInId(id: string): Date | null {
  return /^[0-9a-f]{11}[\w-]{22}$/.test(id) ? new Date(Number.parseInt(id.slice(0, 11), 16)) : null;
}

export function newTrailRow(key: string, step: TrailStep, { domainId, partnerId }: TrailOwner): TrailRow {
  const { at, direction, domain, sender, recipient, size, messageId, reason } = step;
  const state = step.step;
  return {
    domainId,
    partnerId,
    id: trailIdOf(at, key),
    key,
    at,
    direction,
    domain,
    sender,
    recipient,
    size,
    state,
    stateAt: at,
    reason,
    messageId,
    relayId: relayIdOf(step),
    lastAt: at,
    count: 1,
    steps: [{ at, step: state, detail: step.detail }],
  };
}

/** Adds a step to its row. @returns false when the row has it already, so that nothing changed */
export function addStep(row: TrailRow, step: TrailStep): boolean {
  const { at, step: state, detail } = step;
  const before = { ...row };
  row.size ??= step.size;
  row.messageId ??= step.messageId;
  row.relayId ??= relayIdOf(step);
  if (at > row.lastAt) row.lastAt = at;
  // Repeated deferrals change the last time only.
  if (state === 'deferred' && row.steps.some((each) => each.step === 'deferred')) return differs(row, before);
  addShown(row, { at, step: state, detail });
  const isHigher = rankOf(state) > rankOf(row.state);
  if (isHigher || (rankOf(state) === rankOf(row.state) && at > row.stateAt)) {
    row.state = state;
    row.stateAt = at;
    row.reason = step.reason;
  }
  return differs(row, before);
}

/** Times and steps are replaced, never changed. */
function differs(row: TrailRow, before: TrailRow): boolean {
  return (Object.keys(row) as (keyof TrailRow)[]).some((field) => row[field] !== before[field]);
}

/**
 * Adds a refusal to the row of several ones. It is known when the row has a step of its time; of more than it has
 * steps, when it is not newer than the last one.
 *
 * @returns false when it is known
 */
export function addRefusal(row: TrailRow, { at, step, detail }: TrailStep): boolean {
  const isKnown = row.steps.some((each) => each.at.getTime() === at.getTime());
  if (isKnown || (row.steps.length >= MAX_STEPS && at <= row.lastAt)) return false;
  row.count += 1;
  if (at > row.lastAt) row.lastAt = at;
  addShown(row, { at, step, detail });
  return true;
}

function addShown(row: TrailRow, added: ShownStep): void {
  const isSame = (each: ShownStep) =>
    each.step === added.step && each.detail === added.detail && each.at.getTime() === added.at.getTime();
  if (row.steps.some(isSame)) return;
  const steps = [...row.steps, added].sort(
    (one, other) => one.at.getTime() - other.at.getTime() || rankOf(one.step) - rankOf(other.step),
  );
  // The steps in the middle go, so that a step that went stays away when it is reported again.
  const [gone] = steps.length > MAX_STEPS ? steps.splice(MAX_STEPS / 2, 1) : [];
  if (gone !== added) row.steps = steps;
}
