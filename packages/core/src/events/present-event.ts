import { EVENTS_WITH_FACTS, type EventType } from '../audit/event-types.js';
import { zonelessTime } from '../clock.js';
import type { Actor } from '../operators/actor.js';
import { shownActor } from '../operators/shown-actor.js';
import type { FeedEvent } from './event-feed.js';

type Values = Record<string, unknown>;

/** What operators note about a partner for themselves, or tell it in verdicts. Clients do not see it in events. */
const OPERATORS_OWN = new Set(['billing_ref', 'replaces', 'note', 'request_id', 'request_uid', 'stop_messages']);
/**
 * The names of other domains and of what is in them, and an id. Callers that are limited to some domains see only those
 * of the event's domain.
 */
const NAMES = new Set(['parent', 'parent_id', 'destination', 'destinations']);
/** Counts in which other domains take part. */
const COUNTS_ACROSS_DOMAINS = new Set(['aliases', 'left_out']);

/** An event as the feed, the stream and webhooks show it. `at` is UTC without a zone suffix. */
export interface ShownEvent {
  id: number;
  type: EventType;
  at: string;
  partner_ref: string | null;
  domain: string | null;
  subject: string;
  actor_kind: string;
  actor: string;
  data: Record<string, unknown>;
}

/** What a caller sees of an event. Clients do not learn which operator made a change. */
export function presentEvent(event: FeedEvent, viewer: Actor): ShownEvent {
  const { kind, name } = shownActor(event, viewer);
  return {
    id: event.id,
    type: event.type,
    at: zonelessTime(event.at),
    partner_ref: event.partnerRef,
    domain: event.domain,
    subject: event.subject,
    actor_kind: kind,
    actor: name,
    data: dataOf(event, (values) => {
      if (values === null || viewer.kind !== 'client') return values;
      const shown = without(values, OPERATORS_OWN);
      return viewer.domainIds === null ? shown : withinDomain(shown, event.domain ?? '');
    }),
  };
}

function dataOf({ type, before, after }: FeedEvent, show: (values: Values | null) => Values | null): Values {
  return EVENTS_WITH_FACTS.has(type) ? (show(after) ?? {}) : { before: show(before), after: show(after) };
}

function without(values: Values, names: ReadonlySet<string>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

function withinDomain(values: Values, domain: string): Values {
  const shown = without(values, COUNTS_ACROSS_DOMAINS);
  const isOwn = (name: unknown) => typeof name === 'string' && name.slice(name.indexOf('@') + 1) === domain;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      if (!NAMES.has(name)) return [name, value];
      return [name, Array.isArray(value) ? value.filter(isOwn) : isOwn(value) ? value : null];
    }),
  );
}
