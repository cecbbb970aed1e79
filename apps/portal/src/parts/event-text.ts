import type { Caller, Event } from '../api/shapes.js';
import { first } from '../texts/en/first.js';
import { t, textOrNull } from '../texts/texts.js';
import { causesFor, suspensionCauses } from './suspension-causes.js';
import { namedInText } from './unicode-name.js';

export const EVENT_TYPES = Object.keys(first.event) as Event['type'][];

/** A type that only a newer service has is shown as the API names it. */
export function eventText(type: Event['type']): string {
  return textOrNull('event', type) ?? type;
}

/** What the event is about: an address, a domain, or another thing with its noun. */
export function eventSubject({ type, subject, domain }: Pick<Event, 'type' | 'subject' | 'domain'>): string {
  const [noun = ''] = type.split('.');
  // The subject is the number of the link, which is shown nowhere else.
  if (noun === 'link' && domain !== null) return t('about.linkTo', { domain: namedInText(domain) });
  return textOrNull('about', noun, { subject: subject.replace(/^webhook:/, '') }) ?? subject;
}

const LIMITS = {
  daily: { near: 'events.usedDaily', reached: 'events.reachedDaily' },
  monthly: { near: 'events.usedMonthly', reached: 'events.reachedMonthly' },
  transfer: { near: 'events.usedTransfer', reached: 'events.reachedTransfer' },
} as const;

/** Which limit was reached, and whether all of it is used; null for other events. */
function limitText({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  if (type !== 'domain.limit_reached') return null;
  const limit = memberOf(data, 'limit');
  if (limit !== 'daily' && limit !== 'monthly' && limit !== 'transfer') return null;
  return t(LIMITS[limit][memberOf(data, 'percent') === 100 ? 'reached' : 'near']);
}

/** The records that a domain begins to lack; null for other events. */
function lacksText({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  const missing = type === 'domain.dns_missing' ? memberOf(data, 'missing') : null;
  if (!Array.isArray(missing)) return null;
  const words = missing.flatMap((record) => textOrNull('lack', String(record)) ?? []);
  return words.length === 0 ? null : `(${words.join(', ')})`;
}

/** What happened, with the missing records, the causes that a suspension added, or those that an activation lifted. */
export function eventWithCauses({ type, data }: Pick<Event, 'type' | 'data'>, reader: Caller): string {
  const ofLimit = limitText({ type, data });
  if (ofLimit !== null) return ofLimit;
  const [before, after] = [namesIn(memberOf(data, 'before')), namesIn(memberOf(data, 'after'))];
  const isEnd = type.endsWith('.activated');
  const changed = isEnd
    ? before.filter((cause) => !after.includes(cause))
    : after.filter((cause) => !before.includes(cause));
  const what = eventText(type);
  const causes = lacksText({ type, data }) ?? suspensionCauses(causesFor(reader, changed));
  if (causes === null) return what;
  return isEnd ? t('events.liftedCauses', { what, causes }) : t('events.causes', { what, causes });
}

/** Those of a domain are words; those of a partner have a stage beside the word. */
function namesIn(values: unknown): string[] {
  const causes = memberOf(values, 'suspension_causes');
  if (!Array.isArray(causes)) return [];
  return causes.map((each: unknown) => (typeof each === 'string' ? each : String(memberOf(each, 'cause'))));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
