import { SECOND_MS } from '@mailstead/core/clock';
import {
  type DeliveryOutcome,
  type Notification,
  NotificationChannel,
  type NotificationType,
} from '@mailstead/core/notifications/notification-channel';
import type { Transporter } from 'nodemailer';

export interface EmailChannelOptions {
  /** The mail server, `smtp://user:password@host:587` or `smtps://…` (`NOTIFY_SMTP_URL`). */
  url: string;
  from: string;
  /** One address or several, separated by commas. */
  to: string;
  /** The time limit of each step of the SMTP session, milliseconds; 15,000 by default. */
  timeoutMs?: number;
}

const SUBJECTS: Record<NotificationType, (domain: string) => string> = {
  'domain.verified': (domain) => `${domain} is verified`,
  'domain.verification_failed': (domain) => `The verification of ${domain} failed`,
  'domain.verification_lost': (domain) => `${domain} is no longer verified`,
  'domain.verification_at_risk': (domain) => `${domain} will lose its verification: DNS records are missing`,
  'domain.outbound_blocked': (domain) => `Outbound mail of ${domain} is blocked`,
  'domain.limit_reached': (domain) => `${domain} reached a sending limit`,
  'domain.suspended': (domain) => `${domain} is suspended`,
  'domain.activated': (domain) => `${domain} is active again`,
  'domain.expiring': (domain) => `${domain} was never used and will be removed`,
  'domain.expired': (domain) => `${domain} was never used and is removed`,
  'domain.retention_lowered': (domain) => `The retention of ${domain} was lowered`,
  'partner.relay_paused': () => 'The relay provider does not send mail of a partner',
  'partner.relay_resumed': () => 'The relay provider sends mail of a partner again',
  'purge.braked': () => 'The retention purge waits: the retention of too many domains was lowered',
  'relay.warning': () => 'The relay provider, or the way of its events, needs somebody',
  'database.several_writers': () => 'Several database nodes are written to: acknowledged changes can be lost',
  'worker.stopped': () => 'No worker runs: jobs and schedules wait',
  'job.missed': () => 'A scheduled job did not run',
  'job.future_periods': () => 'A process with a wrong clock ran scheduled jobs in the future',
};

/**
 * Sends notifications to the operators by e-mail. A repeated delivery has the same Message-ID and Date, so that mail
 * programs can drop it. The delivery succeeds when the server accepts the message for at least one recipient.
 */
export class EmailChannel extends NotificationChannel {
  readonly name = 'email';
  private transporter: Promise<Transporter> | null = null;

  constructor(private readonly options: EmailChannelOptions) {
    super();
  }

  override async deliver(notification: Notification): Promise<DeliveryOutcome> {
    const { from, to } = this.options;
    this.transporter ??= this.open();
    const transporter = await this.transporter;
    try {
      await transporter.sendMail({
        from,
        to,
        subject: `[Mailstead] ${subjectOf(notification)}`,
        text: textOf(notification),
        date: notification.at,
        messageId: `<${notification.id}@${hostOf(from)}>`,
        // RFC 3834: mail programs send no automatic replies to a message with this header.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return 'delivered';
    } catch (error) {
      const reason = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
      throw new Error(`The mail server did not take the notification: ${String(reason)}`, { cause: error });
    }
  }

  private async open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { url, timeoutMs = 15 * SECOND_MS } = this.options;
    return createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

function subjectOf({ type, data }: Notification): string {
  return SUBJECTS[type](typeof data.domain === 'string' ? data.domain : 'A domain');
}

function textOf(notification: Notification): string {
  const lines = Object.entries(notification.data)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { type, at, id } = notification;
  return [
    `${subjectOf(notification)}.`,
    '',
    ...lines,
    '',
    `event: ${type}`,
    `at: ${at.toISOString()}`,
    `id: ${id}`,
    '',
  ].join('\n');
}

/** `Mailstead <noreply@example.com>` → `example.com`. */
function hostOf(from: string): string {
  return /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'mailstead.invalid';
}
