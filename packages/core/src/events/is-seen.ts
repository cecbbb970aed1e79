import type { FeedEvent, FeedFilter } from './event-feed.js';

/**
 * Whether `EventFeed.search` finds the event with this filter. For events that were read for several callers at once.
 */
export function isSeen(event: FeedEvent, { scope, partnerRef, types, domain }: FeedFilter): boolean {
  if (scope !== 'all') {
    if (event.partnerId !== scope.partnerId) return false;
    if (scope.domainIds !== null && (event.domainId === null || !scope.domainIds.includes(event.domainId)))
      return false;
  }
  return (
    (partnerRef === undefined || event.partnerRef === partnerRef) &&
    (types === undefined || types.includes(event.type)) &&
    (domain === undefined || event.domain === domain)
  );
}
