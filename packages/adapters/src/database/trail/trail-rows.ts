import type { DomainName } from '@mailstead/core/domains/domain-name';
import { trailDayOf } from '@mailstead/core/trail/trail-options';
import { mailboxOf, type ShownStep, type TrailRow } from '@mailstead/core/trail/trail-row';
import type { TrailDirection, TrailState } from '@mailstead/core/trail/trail-step';
import type { ListedTrail } from '@mailstead/core/trail/trail-store';
import { type Parameter, type Row, textOrNull } from '../driver/database.js';

/** What a list shows; the steps are the largest column. */
export const LISTED_COLUMNS =
  'id, row_key, at, last_at, direction, partner_id, domain_id, domain, sender, recipient, size, state, state_at, reason, message_id, relay_id, times';
export const ALL_COLUMNS = `${LISTED_COLUMNS}, steps`;
export const WRITTEN_COLUMNS = [...ALL_COLUMNS.split(', '), 'day', 'mailbox'];
/** What a further step may change. */
export const CHANGED_COLUMNS = [
  'last_at',
  'size',
  'state',
  'state_at',
  'reason',
  'message_id',
  'relay_id',
  'times',
  'steps',
];

type StoredStep = [at: number, step: TrailState, detail: string | null];

/** In the order of `WRITTEN_COLUMNS`. */
export function valuesOf(row: TrailRow): Parameter[] {
  const steps = row.steps.map(({ at, step, detail }): StoredStep => [at.getTime(), step, detail]);
  return [
    row.id,
    row.key,
    row.at.getTime(),
    row.lastAt.getTime(),
    row.direction,
    row.partnerId,
    row.domainId,
    row.domain,
    row.sender,
    row.recipient,
    row.size,
    row.state,
    row.stateAt.getTime(),
    row.reason,
    row.messageId,
    row.relayId,
    row.count,
    JSON.stringify(steps),
    trailDayOf(row.at),
    mailboxOf(row),
  ];
}

export function toListed(row: Row): ListedTrail {
  return {
    id: String(row.id),
    key: String(row.row_key),
    at: new Date(Number(row.at)),
    lastAt: new Date(Number(row.last_at)),
    direction: row.direction as TrailDirection,
    partnerId: Number(row.partner_id),
    domainId: Number(row.domain_id),
    domain: row.domain as DomainName,
    sender: String(row.sender),
    recipient: String(row.recipient),
    size: row.size === null ? null : Number(row.size),
    state: row.state as TrailState,
    stateAt: new Date(Number(row.state_at)),
    reason: textOrNull(row.reason),
    messageId: textOrNull(row.message_id),
    relayId: textOrNull(row.relay_id),
    count: Number(row.times),
  };
}

export function toTrailRow(row: Row): TrailRow {
  const stored = JSON.parse(String(row.steps)) as StoredStep[];
  const steps = stored.map(([at, step, detail]): ShownStep => ({ at: new Date(at), step, detail }));
  return { ...toListed(row), steps };
}
