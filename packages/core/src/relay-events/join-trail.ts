import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import { firstDayOf } from '../trail/queue-id.js';
import { keptDays, TrailOptions } from '../trail/trail-options.js';
import { addStep, type TrailRow } from '../trail/trail-row.js';
import { MAX_TRAIL_DETAIL, MAX_TRAIL_REASON, rowKeyOf, type TrailState, type TrailStep } from '../trail/trail-step.js';
import { TrailStore } from '../trail/trail-store.js';
import { listKindOf, plainText } from './listed-bounce.js';
import { diagnosticOf, type RelayEvent } from './relay-event.js';

/** The events that are only in the trail. */
const STATE_OF_TYPE: Readonly<Record<string, TrailState>> = {
  Delivery: 'delivered',
  DeliveryDelay: 'deferred',
  Reject: 'bounced',
};

interface Joined {
  event: RelayEvent;
  recipient: string;
  state: TrailState;
}

/**
 * Adds what the relay says to the trails of its messages: by the tag that the mail server gave the message, or by the
 * relay's id when the event has no tag; and only to a row of the domain on which the event is counted.
 */
@needs(TrailStore, Clock, TrailOptions)
export class JoinTrail {
  constructor(
    private readonly store: TrailStore,
    private readonly clock: Clock,
    private readonly options: TrailOptions,
  ) {}

  /**
   * Runs in the caller's unit of work. An event that is joined again changes nothing.
   *
   * @returns the events with a tag of which a message was not reported yet
   */
  async execute(events: readonly RelayEvent[]): Promise<Set<RelayEvent>> {
    const late = new Set<RelayEvent>();
    const joined = this.options.trailDays === 0 ? [] : events.flatMap(joinedOf);
    if (joined.length === 0) return late;
    const now = this.clock.now();
    const days = keptDays(this.options, now);
    const keys = new Map(
      joined.flatMap(({ event, recipient }): [string, number][] => {
        const tag = tagOf(event);
        return tag === null ? [] : [[rowKeyOf(tag, recipient, 'out'), firstDayOf(tag, event.occurredAt)]];
      }),
    );
    const byKey = mapOf(await this.store.lockRows(keys, days), ({ key }) => key);
    const isFound = (key: string | null) => key !== null && byKey.has(key);
    const others = joined.filter(({ event, recipient }) => !isFound(tagKeyOf(event, recipient)));
    const ids = new Set(others.map(({ event }) => event.messageId));
    // The same row as by its key, if an event with a tag and one without are about the same message.
    const relayed = (await this.store.lockRelayed([...ids].filter(isPlain).sort(), days)).map(
      (row) => byKey.get(row.key) ?? row,
    );
    const byId = mapOf(relayed, ({ relayId, recipient }) => `${relayId} ${recipient}`);
    const relayedAs = new Map<string | null, TrailRow[]>();
    for (const row of relayed) {
      const same = relayedAs.get(row.relayId) ?? [];
      same.push(row);
      relayedAs.set(row.relayId, same);
    }
    const changed = new Set<TrailRow>();
    for (const { event, recipient, state } of joined) {
      const key = tagKeyOf(event, recipient);
      const given = key === null ? byId.get(`${event.messageId} ${recipient}`) : byKey.get(key);
      const row = given ?? relayedAs.get(event.messageId)?.find((each) => hasCopy(each, recipient));
      if (row === undefined && key !== null) late.add(event);
      if (row === undefined || row.domain !== event.sourceDomain || row.direction !== 'out') continue;
      const step = stepOf(row, event, recipient, state, now);
      if (addStep(row, given === undefined ? ofCopy(step, recipient) : step)) changed.add(row);
    }
    await this.store.save([...changed]);
    return late;
  }
}

function joinedOf(event: RelayEvent): Joined[] {
  const state = stateOf(event);
  if (state === null || event.sourceDomain === null) return [];
  return event.recipients.map((recipient) => ({ event, recipient, state }));
}

function stateOf(event: RelayEvent): TrailState | null {
  const kind = listKindOf(event);
  if (kind !== null) return kind === 'complaint' ? 'complained' : 'bounced';
  return event.kind === 'other' ? (STATE_OF_TYPE[event.subType ?? ''] ?? null) : null;
}

function tagOf({ tag = null }: RelayEvent): string | null {
  return tag;
}

function tagKeyOf(event: RelayEvent, recipient: string): string | null {
  const tag = tagOf(event);
  return tag === null ? null : rowKeyOf(tag, recipient, 'out');
}

/** What the column of the relay's ids can be compared with. */
function isPlain(id: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(id);
}

function stepOf(row: TrailRow, event: RelayEvent, recipient: string, state: TrailState, now: Date) {
  const { subType, occurredAt, kind } = event;
  const diagnostic = diagnosticOf(event, recipient);
  const text = (kind === 'other' ? [diagnostic] : [subType, diagnostic]).filter((each) => each !== null).join(': ');
  return {
    host: '',
    queueId: null,
    at: occurredAt > now ? now : occurredAt,
    step: state,
    direction: row.direction,
    domain: row.domain,
    sender: row.sender,
    recipient: row.recipient,
    size: null,
    messageId: null,
    reason: kind === 'other' || subType === null ? null : plainText(subType, MAX_TRAIL_REASON),
    detail: text === '' ? null : plainText(text, MAX_TRAIL_DETAIL),
  };
}

/** Whether an alias made this address of the recipient. */
function hasCopy({ steps }: TrailRow, address: string): boolean {
  return steps.some(({ detail }) => detail?.toLowerCase().startsWith(`to ${address}: `) === true);
}

function ofCopy(step: TrailStep, address: string): TrailStep {
  const detail = step.detail === null ? `to ${address}` : `to ${address}: ${step.detail}`;
  return { ...step, detail: detail.slice(0, MAX_TRAIL_DETAIL) };
}

function mapOf(rows: readonly TrailRow[], keyOf: (row: TrailRow) => string): Map<string, TrailRow> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
