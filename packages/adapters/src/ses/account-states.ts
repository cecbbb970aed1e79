import type { EventDestination, GetAccountResponse } from '@aws-sdk/client-sesv2';
import type { PublishedEvents, RelayAccount } from '@mailstead/core/relay/relay-provider';

/** Missing fields count as a healthy account, so that they cause no warning. */
export function readAccount(answer: GetAccountResponse): RelayAccount {
  const { Max24HourSend, SentLast24Hours, MaxSendRate } = answer.SendQuota ?? {};
  return {
    productionAccess: answer.ProductionAccessEnabled ?? true,
    sendingEnabled: answer.SendingEnabled ?? true,
    enforcement: answer.EnforcementStatus ?? 'HEALTHY',
    quota24h: Max24HourSend ?? -1,
    sent24h: SentLast24Hours ?? 0,
    maxPerSecond: MaxSendRate ?? 0,
  };
}

/** The enabled destinations that are SNS topics. */
export function readDestinations(found: EventDestination[] = []): PublishedEvents['destinations'] {
  return found.flatMap(({ Enabled, MatchingEventTypes, SnsDestination }) => {
    const topic = SnsDestination?.TopicArn;
    return Enabled === true && topic !== undefined ? [{ topic, events: [...(MatchingEventTypes ?? [])] }] : [];
  });
}
