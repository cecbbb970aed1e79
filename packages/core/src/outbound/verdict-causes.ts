import type { BlockReason } from '../domains/domain.js';
import type { SuspensionCause } from '../domains/suspension.js';
import type { Actor } from '../operators/actor.js';
import { shownActor } from '../operators/shown-actor.js';
import { type BlockCounts, countsOf } from './block-counts.js';
import type { OutboundReason } from './decide-outbound.js';
import type { LedgerDomain } from './outbound-ledger.js';
import type { StopChange, StopRecord } from './stop-records.js';

/** Who must act so that a domain may send again; `itself`: nobody, it ends with time. */
export const LIFTERS = ['partner', 'operator', 'billing', 'itself'] as const;
export type Lifter = (typeof LIFTERS)[number];

export const CAUSE_OWNERS = ['domain', 'partner', 'parent'] as const;
type CauseOwner = (typeof CAUSE_OWNERS)[number];

/** One cause of a suspension or of a block. */
export interface VerdictCause {
  cause: SuspensionCause | BlockReason;
  /** What is suspended or blocked: the domain, its partner, or its linked parent. */
  of: CauseOwner;
  /** When it was set; null when that is not known. */
  since: Date | null;
  /** Who set it, as events show actors; null when that is not known. */
  by: string | null;
  /** Whether this caller may lift it. */
  liftable: boolean;
  /** Of a block by bounces or complaints: what was counted at that moment. Null for others, and when not known. */
  counts: BlockCounts | null;
  /** What an operator tells the partner about it; null also for callers who do not see all of the partner. */
  message: string | null;
}

/** The domains of a verdict, with what is stored about them. */
export interface StopContext {
  viewer: Actor;
  own: LedgerDomain;
  parent: LedgerDomain | null;
  record: StopRecord;
}

/** A cause, and the change that set it; null when that is not known. */
interface Found {
  cause: VerdictCause['cause'];
  of: CauseOwner;
  change: StopChange | null;
  message: string | null;
  /** Stored beside the cause. */
  since?: Date | null;
  counts?: BlockCounts | null;
}

/** The causes of a suspension or of a block, as far as the caller may see them. Other reasons have none. */
export function causesOf(reason: OutboundReason, context: StopContext): VerdictCause[] {
  const found =
    reason === 'domain_suspended' ? suspensions(context) : reason === 'outbound_blocked' ? blocks(context) : [];
  return found.map(({ cause, of, change, since, counts = null, message }) => ({
    cause,
    of,
    since: since ?? change?.at ?? null,
    by: change === null ? null : shownActor(change, context.viewer).name,
    liftable: mayLift(context.viewer, cause, of),
    counts,
    message: seesPartner(context.viewer) ? message : null,
  }));
}

/**
 * Whoever must act so that the reason ends: for each cause the one who sets it. A caller who does not see the causes of
 * its partner is sent to the partner.
 */
export function liftersOf(reason: OutboundReason, context: StopContext): Lifter[] {
  const { own, parent, record, viewer } = context;
  if (reason === 'domain_suspended') {
    const lifters: Lifter[] = own.suspensionCauses.map(lifterOf);
    if (own.partnerStage !== null) {
      lifters.push(
        ...(seesPartner(viewer) ? record.suspensions.map(({ cause }) => lifterOf(cause)) : (['partner'] as const)),
      );
    }
    if (parent?.suspensionCauses.includes('abuse')) lifters.push(lifterOf('abuse'));
    return lifters;
  }
  if (reason === 'outbound_blocked' || reason === 'relay_paused') return ['operator'];
  // The DNS records are published by whoever holds the domain; a domain of no partner is the operator's.
  if (reason === 'not_verified') return [own.partnerRef === null ? 'operator' : 'partner'];
  return [];
}

function lifterOf(cause: SuspensionCause): Lifter {
  return cause === 'partner' || cause === 'billing' ? cause : 'operator';
}

/**
 * Master lifts everything; a partner what it set itself, unless it is suspended, which refuses its changes. No other
 * caller that reads verdicts changes a suspension.
 */
function mayLift(viewer: Actor, cause: VerdictCause['cause'], of: CauseOwner): boolean {
  if (viewer.kind === 'master') return true;
  if (viewer.kind !== 'client' || !seesPartner(viewer)) return false;
  return cause === 'partner' && of === 'domain' && viewer.scope === 'manage' && viewer.partnerStage === null;
}

/** Whether the caller may know why its partner is suspended: a customer does not learn of its provider's debts. */
function seesPartner(viewer: Actor): boolean {
  return viewer.kind !== 'client' || (viewer.domainIds === null && viewer.credential.kind === 'key');
}

/** Whether a caller that is limited to some domains sees the parent. */
export function seesParent(viewer: Actor, parent: LedgerDomain): boolean {
  return viewer.kind !== 'client' || viewer.domainIds === null || viewer.domainIds.includes(parent.id);
}

function suspensions({ viewer, own, parent, record }: StopContext): Found[] {
  const found: Found[] = own.suspensionCauses.map((cause) => ({
    cause,
    of: 'domain',
    change: beginOf(changesOf(own, viewer, record), (values) => listOf(values).includes(cause)),
    message: record.domains.get(own.id)?.messages[cause] ?? null,
  }));
  if (own.partnerStage !== null && seesPartner(viewer)) {
    const ofPartner = record.changes.filter((change) => change.domain === null);
    for (const { cause } of record.suspensions) {
      const change = beginOf(ofPartner, (values) => listOf(values).some((each) => isCause(each, cause)));
      found.push({ cause, of: 'partner', change, message: record.messages[cause] ?? null });
    }
  }
  if (parent?.suspensionCauses.includes('abuse') && seesParent(viewer, parent)) {
    const change = beginOf(changesOf(parent, viewer, record), (values) => listOf(values).includes('abuse'));
    const message = record.domains.get(parent.id)?.messages.abuse ?? null;
    found.push({ cause: 'abuse', of: 'parent', change, message });
  }
  return found;
}

function blocks({ viewer, own, parent, record }: StopContext): Found[] {
  const found: Found[] = [];
  for (const domain of parent !== null && seesParent(viewer, parent) ? [own, parent] : [own]) {
    const recorded = record.domains.get(domain.id);
    if (domain.outboundStatus !== 'blocked' || recorded === undefined || recorded.blockedReason === null) continue;
    const isBlocked = (values: StopChange['before']) => values?.outbound_status === 'blocked';
    const change = beginOf(changesOf(domain, viewer, record), isBlocked);
    found.push({
      cause: recorded.blockedReason,
      of: domain === own ? 'domain' : 'parent',
      change,
      message: recorded.messages.block ?? null,
      since: recorded.blockedAt,
      counts: countsOf(recorded, change),
    });
  }
  return found;
}

/**
 * The changes of the domain, newest first, also of a deleted one of the same name and partner, from which a new one
 * takes its suspension. A client does not see who changed the domain for a former partner.
 */
export function changesOf(
  { id, name, partnerRef }: LedgerDomain,
  viewer: Actor,
  { changes }: StopRecord,
): StopChange[] {
  return changes.filter(
    (change) =>
      change.domain === name &&
      (change.partnerRef === partnerRef || (viewer.kind !== 'client' && change.domainId === id)),
  );
}

/**
 * @param changes newest first
 * @returns the change that set what `holds` asks for; null when the newest change of it is not known, or ended it
 */
function beginOf(changes: readonly StopChange[], holds: (values: StopChange['before']) => boolean): StopChange | null {
  const change = changes.find(({ before, after }) => holds(before) !== holds(after));
  return change !== undefined && holds(change.after) ? change : null;
}

function listOf(values: StopChange['before']): unknown[] {
  const causes = values?.suspension_causes;
  return Array.isArray(causes) ? causes : [];
}

function isCause(value: unknown, cause: string): boolean {
  return typeof value === 'object' && value !== null && 'cause' in value && value.cause === cause;
}
