import { EVENT_TYPES, type EventType } from '../audit/event-types.js';
import type { PartnerRef } from '../partners/partner.js';

export const ENDPOINT_STATUSES = ['unconfirmed', 'active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/**
 * Why nothing is sent: no success for three days, an answer 410, the partner's own change, a secret that `SECRET_KEY`
 * does not open, or the end of the key that made the endpoint.
 */
export const DISABLED_REASONS = ['failing', 'gone', 'partner', 'secret_unreadable', 'key_ended'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The most endpoints of a partner, and of the operators. */
export const MAX_ENDPOINTS = 5;

/** An address to which the events of a partner are pushed; without a partner, those of all. */
export class WebhookEndpoint {
  readonly id!: number;
  /** Null: an endpoint of the operators. */
  readonly partnerId!: number | null;
  /** Read with the endpoint. */
  readonly partnerRef!: PartnerRef | null;
  /** The key that made it, or took it over; the rotation of the key changes it. Null: an operator. */
  keyId!: number | null;
  /** https, as `URL` writes it. */
  url!: string;
  /** Exact types, or `<noun>.*`. Null: all. */
  types!: readonly string[] | null;
  description!: string | null;
  status!: EndpointStatus;
  disabledReason!: DisabledReason | null;
  /** Sealed by `WebhookSecrets`. */
  secret!: string;
  /** The secret before the rotation, sealed, which signs too until `formerUntil`. */
  formerSecret!: string | null;
  formerUntil!: Date | null;
  /** When an answer confirmed the URL; null: not yet. */
  confirmedAt!: Date | null;
  /** When the challenge after a change of the URL is due; null: none is due. */
  challengeAt!: Date | null;
  /**
   * Every event up to this position was tried, or is not for this endpoint. While `isBehind` is false, that holds for
   * the position of the feed up to which endpoints were told, too.
   */
  cursor!: number;
  isBehind!: boolean;
  /** When the first of the failures since the last success happened. */
  failingSince!: Date | null;
  /** The run of `redeliver`: the position up to which it is done, and its end. Null: none runs. */
  redeliverAfter!: number | null;
  redeliverUntil!: number | null;
  readonly createdAt!: Date;

  private constructor() {}

  static create(
    values: Pick<WebhookEndpoint, 'partnerId' | 'partnerRef' | 'keyId' | 'url' | 'types' | 'description' | 'createdAt'>,
  ): WebhookEndpoint {
    const begun = {
      id: 0,
      status: 'unconfirmed',
      disabledReason: null,
      secret: '',
      formerSecret: null,
      formerUntil: null,
      confirmedAt: null,
      challengeAt: values.createdAt,
      cursor: 0,
      isBehind: false,
      failingSince: null,
      redeliverAfter: null,
      redeliverUntil: null,
    };
    return Object.assign(new WebhookEndpoint(), begun, values);
  }

  /**
   * The next delivery waits for an answer to a challenge.
   *
   * @param told the position up to which endpoints were told, from which on the new URL goes on
   */
  unconfirm(now: Date, told: number): void {
    this.holdCursor(told);
    this.status = 'unconfirmed';
    this.disabledReason = null;
    this.confirmedAt = null;
    this.challengeAt = now;
  }

  /** @param newest the highest position, where the first deliveries begin */
  confirm(now: Date, newest: number): void {
    if (this.cursor === 0) this.cursor = newest;
    this.status = 'active';
    this.disabledReason = null;
    this.confirmedAt = now;
    this.challengeAt = null;
    this.failingSince = null;
    this.isBehind = true;
  }

  /** Begins again at the cursor. */
  resume(): void {
    this.status = 'active';
    this.disabledReason = null;
    this.failingSince = null;
    this.isBehind = true;
  }

  /** @param told the position up to which endpoints were told, from which on a later `resume` goes on */
  disable(reason: DisabledReason, told: number): void {
    this.holdCursor(told);
    this.status = 'disabled';
    this.disabledReason = reason;
    this.challengeAt = null;
  }

  /** From now on it is not told, so its cursor has to say what it was told. */
  private holdCursor(told: number): void {
    if (this.confirmedAt !== null && !this.isBehind) this.cursor = Math.max(this.cursor, told);
    this.isBehind = true;
  }

  /** Whether deliveries that began for another state of it may go on: same URL, secret, key, types and status. */
  deliversLike({ url, secret, keyId, types, status }: WebhookEndpoint): boolean {
    const isSame = url === this.url && secret === this.secret && keyId === this.keyId && status === this.status;
    return isSame && JSON.stringify(types) === JSON.stringify(this.types);
  }

  /** The types of events that it wants; undefined: all. */
  get wantedTypes(): readonly EventType[] | undefined {
    const { types } = this;
    return types === null ? undefined : EVENT_TYPES.filter((type) => types.some((each) => isOfType(type, each)));
  }
}

/** Whether a text is a type of events, or `<noun>.*` of some. */
export function isKnownType(text: string): boolean {
  return EVENT_TYPES.some((type) => isOfType(type, text));
}

function isOfType(type: EventType, wanted: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
