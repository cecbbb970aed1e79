import { AppError } from '@mailstead/core/errors';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import { readSesMessage } from './ses-event.js';
import { aBridged, aSesBounce, aSesComplaint } from './testing/ses-messages.js';

function read(message: unknown): RelayEvent {
  const outcome = readSesMessage('p1', message);
  if (outcome.kind !== 'event') throw new Error(`It is ${outcome.kind}`);
  return outcome.event;
}

describe('an event of SES', () => {
  test.each(['notificationType', 'eventType'] as const)('a bounce of the shape %s', (shape) => {
    expect(read(aSesBounce(shape))).toEqual({
      providerId: 'p1',
      kind: 'bounce',
      bounceType: 'permanent',
      attempted: true,
      subType: 'General',
      notSpam: false,
      messageId: '0102018f-message',
      sentAt: new Date('2026-03-15T11:00:00.000Z'),
      sourceDomain: 'example.com',
      recipients: ['john@example.net'],
      spellings: new Map([['john@example.net', 'John@example.net']]),
      sender: 'jane@example.com',
      diagnostics: new Map([['john@example.net', '5.1.1']]),
      statuses: new Map([['john@example.net', '5.1.1']]),
      occurredAt: new Date('2026-03-15T11:00:05.000Z'),
    });
  });

  test.each(['notificationType', 'eventType'] as const)('a complaint of the shape %s', (shape) => {
    expect(read(aSesComplaint(shape))).toEqual({
      providerId: 'p1',
      kind: 'complaint',
      bounceType: null,
      attempted: true,
      subType: null,
      notSpam: false,
      messageId: '0102018f-message',
      sentAt: new Date('2026-03-15T11:00:00.000Z'),
      sourceDomain: 'example.com',
      recipients: ['john@example.net'],
      sender: 'jane@example.com',
      diagnostics: new Map([['john@example.net', 'abuse']]),
      statuses: new Map(),
      occurredAt: new Date('2026-03-15T11:30:00.000Z'),
    });
  });

  test.each([
    ['2026-03-15T11:00:00.000', '2026-03-15T11:00:05'],
    ['2026-03-15T20:00:00.000+09:00', '2026-03-15T20:00:05+0900'],
  ])('a time is UTC without a zone, and otherwise of its zone: %s', (sent, happened) => {
    const event = read(aSesBounce('eventType', { mail: { timestamp: sent }, bounce: { timestamp: happened } }));
    expect(event.sentAt.toISOString()).toBe('2026-03-15T11:00:00.000Z');
    expect(event.occurredAt.toISOString()).toBe('2026-03-15T11:00:05.000Z');
  });

  test('the reply of each server is the diagnostic of its recipient, at most 500 characters of it', () => {
    const reply = `smtp; 550 5.1.1 ${'x'.repeat(600)}`;
    const bouncedRecipients = [
      { emailAddress: 'Full <A@example.net>', status: '5.2.2', diagnosticCode: reply },
      { emailAddress: 'b@example.net', status: '5.1.1', diagnosticCode: 7 },
      { emailAddress: 'c@example.net' },
    ];
    expect(read(aSesBounce('eventType', { bounce: { bouncedRecipients } })).diagnostics).toEqual(
      new Map([
        ['a@example.net', reply.slice(0, 500)],
        ['b@example.net', '5.1.1'],
      ]),
    );
  });

  test('the status code of each recipient is read, without a remark, and nothing else', () => {
    const bouncedRecipients = [
      { emailAddress: 'Full <A@example.net>', status: '5.1.10 (null MX)' },
      { emailAddress: 'b@example.net', status: ' 5.2.2' },
      { emailAddress: 'c@example.net', diagnosticCode: 'smtp; 550 5.1.1 unknown' },
      { emailAddress: 'd@example.net', status: '5.1.1.1' },
      { emailAddress: 'e@example.net', status: 511 },
    ];
    expect(read(aSesBounce('eventType', { bounce: { bouncedRecipients } })).statuses).toEqual(
      new Map([
        ['a@example.net', '5.1.10'],
        ['b@example.net', '5.2.2'],
      ]),
    );
  });

  test.each([
    'multipart/report; report-type=disposition-notification; boundary="x"',
    'Multipart/Report;\r\n\tboundary="x";\r\n\tReport-Type = "Disposition-Notification"',
  ])('a message with the Content-Type %j is a read receipt', (value) => {
    const headers = [{ name: 'From', value: 'jane@example.com' }, null, { name: 'CONTENT-TYPE', value }];
    expect(read(aSesBounce('eventType', { mail: { headers } }))).toMatchObject({ isReceipt: true });
    expect(read(aBridged('Email Bounced', aSesBounce('eventType', { mail: { headers } })))).toMatchObject({
      isReceipt: true,
    });
  });

  test.each(['', '<>', ' '])('a message of the null sender, %j, is one of those that nobody writes', (source) => {
    expect(read(aSesBounce('eventType', { mail: { source } })).isReceipt).toBe(true);
  });

  test.each([
    [{ name: 'Content-Type', value: 'multipart/report; report-type=delivery-status' }],
    [{ name: 'Content-Type', value: 'multipart/mixed; report-type=disposition-notification' }],
    [{ name: 'Content-Type', value: 'multipart/report; boundary="; x-report-type=disposition-notification"' }],
    [{ name: 'Content-Type', value: 'multipart/report; report-type=disposition-notification-2' }],
    [{ name: 'Content-Type', value: 7 }],
    [{ name: 'Subject', value: 'multipart/report; report-type=disposition-notification' }],
    ['Content-Type'],
  ])('a message with the header %j is none', (...headers) => {
    expect(read(aSesBounce('eventType', { mail: { headers } })).isReceipt).toBeUndefined();
  });

  describe('a message that our mail server tagged', () => {
    const value = 'multipart/report; report-type=disposition-notification';
    const headers = [{ name: 'Content-Type', value }];
    const tagged = (tags: object) => read(aSesBounce('eventType', { mail: { tags, headers } })).isReceipt;

    test('is a read receipt by the mark of the mail server', () => {
      expect(tagged({ mailstead: ['mx_test-4XyZ'], mailstead_receipt: ['yes'] })).toBe(true);
    });

    test('is none without the mark, whatever its header says', () => {
      expect(tagged({ mailstead: ['mx_test-4XyZ'] })).toBeUndefined();
      expect(tagged({ 'ses:from-domain': ['example.com'] })).toBe(true);
    });
  });

  test('a message to several recipients is none without our tags either', () => {
    const headers = [{ name: 'Content-Type', value: 'multipart/report; report-type=disposition-notification' }];
    const destination = ['a@example.net', 'b@example.net'];
    expect(read(aSesBounce('eventType', { mail: { headers, destination } })).isReceipt).toBeUndefined();
    expect(read(aSesBounce('eventType', { mail: { headers: [...headers, ...headers] } })).isReceipt).toBeUndefined();
  });

  test.each([undefined, null, 7, {}])('a message with the headers %j is none that is known', (headers) => {
    expect(read(aSesBounce('eventType', { mail: { headers } })).isReceipt).toBeUndefined();
  });

  test.each(['', '<>', 7, undefined])('the envelope sender %j is no sender', (source) => {
    expect(read(aSesBounce('eventType', { mail: { source } })).sender).toBeNull();
  });

  test.each([
    ['Permanent', 'permanent'],
    ['Transient', 'transient'],
    ['Undetermined', 'undetermined'],
    ['SomethingNew', 'undetermined'],
  ])('the bounce type %s is %s', (bounceType, expected) => {
    expect(read(aSesBounce('eventType', { bounce: { bounceType } })).bounceType).toBe(expected);
  });

  test.each([
    ['OnAccountSuppressionList', false],
    ['OnTenantSuppressionList', false],
    ['EmailValidationSuppressed', false],
    ['UnsubscribedRecipient', false],
    ['Suppressed', true],
    ['General', true],
    ['SomethingNew', true],
    [undefined, true],
  ])('of the subtype %s, attempted is %s', (subType, attempted) => {
    expect(read(aSesBounce('eventType', { bounce: { bounceSubType: subType } })).attempted).toBe(attempted);
    expect(read(aSesComplaint('eventType', { complaint: { complaintSubType: subType } })).attempted).toBe(attempted);
  });

  test('a complaint with the feedback "not spam" is marked', () => {
    expect(read(aSesComplaint('eventType', { complaint: { complaintFeedbackType: 'not-spam' } })).notSpam).toBe(true);
  });

  test('the same recipient with another case or a display name counts once', () => {
    const bouncedRecipients = ['John@Example.net', '"J" <john@example.net>', ' john@example.net '].map(
      (emailAddress) => ({ emailAddress }),
    );
    expect(read(aSesBounce('eventType', { bounce: { bouncedRecipients } })).recipients).toEqual(['john@example.net']);
  });

  test.each([
    ['jane@example.com', 'example.com'],
    ['Jane <jane@EXAMPLE.com>', 'example.com'],
    ['"odd@name" <jane@mail.example.com>', 'mail.example.com'],
    ['"a@b"@example.com', 'example.com'],
    ['jane@münchen.example', 'xn--mnchen-3ya.example'],
    ['jane@localhost', null],
    ['nonsense', null],
    ['', 'header-from.example'],
    ['<>', 'header-from.example'],
    [undefined, 'header-from.example'],
  ])('an event of the envelope sender %s is counted for %s', (source, domain) => {
    expect(read(aSesBounce('eventType', { mail: { source } })).sourceDomain).toBe(domain);
  });

  test('without an envelope sender and tags it has no source domain', () => {
    expect(read(aSesBounce('notificationType', { mail: { source: undefined } })).sourceDomain).toBeNull();
  });

  test.each(['Delivery', 'Reject', 'DeliveryDelay'])('%s is an event that is stored and not counted', (eventType) => {
    const event = read({ ...aSesBounce('eventType'), eventType, bounce: undefined });
    expect(event).toMatchObject({ kind: 'other', bounceType: null, subType: eventType });
  });

  test.each(['Send', 'Open', 'Click', 'Rendering Failure', 'Subscription', 'SomethingNew'])(
    '%s is ignored: it says nothing about the delivery',
    (eventType) => {
      expect(readSesMessage('p1', { ...aSesBounce('eventType'), eventType, bounce: undefined })).toEqual({
        kind: 'ignored',
        reason: `SES message of type ${eventType}`,
      });
    },
  );

  test('bounces and complaints of EventBridge are read like those of a configuration set', () => {
    expect(read(aBridged('Email Bounced', aSesBounce('eventType')))).toEqual(read(aSesBounce('eventType')));
    expect(read(aBridged('Email Complaint Received', aSesComplaint('eventType')))).toEqual(
      read(aSesComplaint('eventType')),
    );
    const { eventType: _eventType, ...untyped } = aSesBounce('eventType');
    expect(read(aBridged('Email Bounced', untyped)).kind).toBe('bounce');
    expect(() => read(aBridged('Email Bounced', { mail: {} }))).toThrow(AppError);
  });

  test.each([
    ['Email Delivered', 'aws.ses'],
    ['Sending Status Disabled', 'aws.ec2'],
    ['constructor', 'aws.ses'],
    ['Email Bounced', 'aws.ec2'],
    ['Email Bounced', undefined],
  ])('%s of %s of EventBridge is ignored', (type, source) => {
    expect(readSesMessage('p1', { ...aBridged(type, aSesBounce('eventType')), source }).kind).toBe('ignored');
  });

  test.each(['Sending Status Disabled', 'Sending Status Enabled'])('%s is a hint about its resources', (type) => {
    const arn = 'arn:aws:ses:eu-central-1:123456789012:tenant/ms-1/tn-1';
    const resources = [arn, 7, 'x'.repeat(256), ...Array.from({ length: 20 }, () => arn)];
    const message = { ...aBridged(type, { data: { origin: 'SES', record: { status: 'DISABLED' } } }), resources };
    expect(readSesMessage('p1', message)).toEqual({ kind: 'tenants', arns: Array.from({ length: 8 }, () => arn) });
    expect(readSesMessage('p1', { ...message, resources: arn })).toEqual({ kind: 'tenants', arns: [] });
  });

  test('a message about the subscription itself is ignored', () => {
    expect(readSesMessage('p1', { notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'hello' }).kind).toBe(
      'ignored',
    );
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['a text', 'hello'],
    ['no type', { mail: {} }],
    ['no mail', { ...aSesBounce(), mail: undefined }],
    ['no bounce', { ...aSesBounce(), bounce: undefined }],
    ['no message id', aSesBounce('eventType', { mail: { messageId: undefined } })],
    ['a wrong time', aSesBounce('eventType', { mail: { timestamp: 'yesterday' } })],
    ['recipients that are no list', aSesBounce('eventType', { bounce: { bouncedRecipients: 'john' } })],
    ['a recipient without an address', aSesBounce('eventType', { bounce: { bouncedRecipients: [{}] } })],
    ['a complaint without recipients', aSesComplaint('eventType', { complaint: { complainedRecipients: null } })],
  ])('%s is malformed', (_, message) => {
    expect(() => readSesMessage('p1', message)).toThrow(expect.objectContaining({ code: 'relay_event_malformed' }));
  });
});
