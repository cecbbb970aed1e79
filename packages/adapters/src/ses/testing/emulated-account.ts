import { TOPIC_ARN } from './topic-arn.js';

/** The configuration set that the emulator has at the start. */
const EMULATED_SET = 'mailstead';

interface EmulatedDestination {
  enabled: boolean;
  /** `MatchingEventTypes`, such as `BOUNCE`. */
  events: string[];
  /** Null for a destination that is no SNS topic. */
  topic: string | null;
}

const HEALTHY = {
  productionAccess: true,
  sendingEnabled: true,
  enforcement: 'HEALTHY',
  quota24h: 50_000,
  sent24h: 100,
  maxPerSecond: 14,
};

/** The state of the emulated account at SES, and its configuration sets with their event destinations. */
export class EmulatedAccount {
  state = { ...HEALTHY };
  /** `SuppressedReasons` of the sets; null without suppression options of their own. */
  ownSuppression: string[] | null = null;
  readonly sets = new Map<string, EmulatedDestination[]>();

  constructor() {
    this.reset();
  }

  /** A healthy account whose set publishes bounces and complaints. */
  reset(): void {
    this.state = { ...HEALTHY };
    this.ownSuppression = null;
    this.sets.clear();
    this.sets.set(EMULATED_SET, [{ enabled: true, events: ['BOUNCE', 'COMPLAINT'], topic: TOPIC_ARN }]);
  }

  /**
   * @returns the body of the response, null when the set does not exist; null for a request that is not about the
   * account
   */
  answer(line: string): { body: object | null } | null {
    if (line === 'GET /v2/email/account') return { body: this.describe() };
    const [, ofSet] = /^GET \/v2\/email\/configuration-sets\/([^/]+)$/.exec(line) ?? [];
    if (ofSet !== undefined) return { body: this.describeSet(decodeURIComponent(ofSet)) };
    const [, name] = /^GET \/v2\/email\/configuration-sets\/([^/]+)\/event-destinations$/.exec(line) ?? [];
    if (name === undefined) return null;
    const destinations = this.sets.get(decodeURIComponent(name));
    return { body: destinations === undefined ? null : { EventDestinations: destinations.map(describeDestination) } };
  }

  private describeSet(name: string): object | null {
    if (!this.sets.has(name)) return null;
    const { ownSuppression } = this;
    return {
      ConfigurationSetName: name,
      ...(ownSuppression === null ? {} : { SuppressionOptions: { SuppressedReasons: ownSuppression } }),
    };
  }

  knows(set: string | null): boolean {
    return set === null || this.sets.has(set);
  }

  /**
   * @param set the configuration set of a message
   * @returns the topics that get an event of this type
   * @throws Error when the set does not exist: SES refuses such a message
   */
  published(set: string | null, eventType: string): string[] {
    if (!this.knows(set)) throw new Error(`554 Message rejected: Configuration set <${set}> does not exist`);
    return (this.sets.get(set ?? '') ?? []).flatMap(({ enabled, events, topic }) =>
      enabled && topic !== null && events.includes(eventType) ? [topic] : [],
    );
  }

  private describe(): object {
    const { productionAccess, sendingEnabled, enforcement, quota24h, sent24h, maxPerSecond } = this.state;
    return {
      DedicatedIpAutoWarmupEnabled: false,
      ProductionAccessEnabled: productionAccess,
      SendingEnabled: sendingEnabled,
      EnforcementStatus: enforcement,
      SendQuota: { Max24HourSend: quota24h, MaxSendRate: maxPerSecond, SentLast24Hours: sent24h },
    };
  }
}

function describeDestination({ enabled, events, topic }: EmulatedDestination, index: number): object {
  return {
    Name: `destination-${index}`,
    Enabled: enabled,
    MatchingEventTypes: events,
    ...(topic === null
      ? { EventBridgeDestination: { EventBusArn: 'arn:aws:events:eu-central-1:123456789012:event-bus/default' } }
      : { SnsDestination: { TopicArn: topic } }),
  };
}
