import { partialMatchKey } from '@tanstack/react-query';
import { EVENT_TYPES } from '../parts/event-text.js';
import { type Key, keys } from './keys.js';
import { staleAfter } from './stale-parts.js';

/** What changes without an event, or never; and what is found, which is asked for each text. */
const OF_NO_EVENT: (keyof typeof keys)[] = [
  'codePreview',
  'sessions',
  'mailSettings',
  'found',
  'relay',
  'plans',
  'tiers',
  'usage',
  'auditList',
];

/** A key of each query of the page. Those of a domain are of `example.com`, written as people may type it. */
const ALL = Object.entries(keys).map(([name, made]) => ({
  name,
  key: typeof made === 'function' ? (made as (...words: string[]) => Key)('Example.com', 'info@Example.com') : made,
}));

const isStale = (key: Key, upper: readonly Key[]) => upper.some((one) => partialMatchKey(key, one));

describe('what an event makes old', () => {
  it('is every query of the page, but those that change without an event', () => {
    const stale = EVENT_TYPES.flatMap((type) => staleAfter({ type, domain: 'example.com' }));
    expect(ALL.filter(({ key }) => !isStale(key, stale)).map(({ name }) => name)).toEqual(OF_NO_EVENT);
  });

  it.each(EVENT_TYPES)('is all about its domain and the lists of events, after %s', (type) => {
    const stale = staleAfter({ type, domain: 'example.com' });
    const { domain, eventList } = keys;
    expect(isStale(domain('Example.com'), stale)).toBe(true);
    expect(isStale(eventList({}, undefined), stale)).toBe(true);
  });

  it('is nothing of another domain, unless the event is about a partner', () => {
    const types = EVENT_TYPES.filter((type) =>
      isStale(keys.domain('example.org'), staleAfter({ type, domain: 'example.com' })),
    );
    const ofPartners = ['suspended', 'activated', 'relay_paused', 'relay_resumed'];
    expect(types).toEqual(ofPartners.map((word) => `partner.${word}`));
  });

  it('is the events for a type that only a newer service has', () => {
    expect(staleAfter({ type: 'sky.fell' as 'domain.created', domain: null })).toEqual([keys.events]);
  });
});
