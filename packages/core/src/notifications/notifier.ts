import type { PartnerRef } from '../partners/partner.js';
import type { NotificationType } from './notification-channel.js';

/** The domain that a notification is about. */
export interface NotifiedDomain {
  id: number;
  name: string;
  partnerRef: PartnerRef | null;
}

/** Stores notifications in the outbox, in the unit of work of the change. They are delivered later, at least once. */
export abstract class Notifier {
  /** @param data further members of the event; `domain` and `partner_ref` are added. */
  abstract notify(
    type: NotificationType,
    about: NotifiedDomain | null,
    at: Date,
    data?: Record<string, unknown>,
  ): Promise<void>;
}
