type Fields = Record<string, unknown>;

const MAIL = {
  timestamp: '2026-03-15T11:00:00.000Z',
  messageId: '0102018f-message',
  source: 'Jane <jane@example.com>',
  sourceArn: 'arn:aws:ses:eu-central-1:123456789012:identity/example.com',
  destination: ['John@example.net'],
  headersTruncated: false,
};

/** A bounce as SES publishes it for an identity (`notificationType`) or a configuration set (`eventType`). */
export function aSesBounce(
  shape: 'notificationType' | 'eventType' = 'notificationType',
  { bounce = {}, mail = {} }: { bounce?: Fields; mail?: Fields } = {},
): Fields {
  return {
    [shape]: 'Bounce',
    bounce: {
      feedbackId: '0102018f-feedback',
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'John@example.net', action: 'failed', status: '5.1.1' }],
      timestamp: '2026-03-15T11:00:05.000Z',
      ...bounce,
    },
    mail: { ...mailOf(shape), ...mail },
  };
}

export function aSesComplaint(
  shape: 'notificationType' | 'eventType' = 'notificationType',
  { complaint = {}, mail = {} }: { complaint?: Fields; mail?: Fields } = {},
): Fields {
  return {
    [shape]: 'Complaint',
    complaint: {
      feedbackId: '0102018f-feedback',
      complaintSubType: null,
      complaintFeedbackType: 'abuse',
      complainedRecipients: [{ emailAddress: 'john@example.net' }],
      timestamp: '2026-03-15T11:30:00.000Z',
      ...complaint,
    },
    mail: { ...mailOf(shape), ...mail },
  };
}

/** An event as EventBridge sends it to an SNS topic. */
export function aBridged(type: string, detail: Fields): Fields {
  return {
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    'detail-type': type,
    source: 'aws.ses',
    account: '123456789012',
    time: '2026-03-15T11:00:06Z',
    region: 'eu-central-1',
    resources: ['arn:aws:ses:eu-central-1:123456789012:configuration-set/mailstead'],
    detail,
  };
}

function mailOf(shape: 'notificationType' | 'eventType'): Fields {
  return shape === 'eventType' ? { ...MAIL, tags: { 'ses:from-domain': ['header-from.example'] } } : MAIL;
}
