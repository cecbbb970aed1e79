import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import type { WebhookOutcome } from '@mailstead/core/relay-events/relay-webhook';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import SnsPayloadValidator from 'sns-payload-validator';
import fc from '../../../../scripts/fast-check.mjs';
import { HttpsCertificateSource } from './certificate-source.js';
import type { SnsMessage } from './sns-message.js';
import { parseTopicArn } from './sns-topic.js';
import { SnsWebhook } from './sns-webhook.js';
import { CertificateInMemory } from './testing/certificate-in-memory.js';
import { aSesBounce } from './testing/ses-messages.js';
import { SnsStandIn } from './testing/sns-stand-in.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

const SENDER = '192.0.2.1';
const NOW = new Date('2026-03-15T12:00:00.000Z');
const MESSAGE = `${JSON.stringify(aSesBounce())}\n`;

describe('the webhook for SNS', () => {
  let sns: SnsStandIn;
  let called: string[];
  let answer: () => Response;
  let webhook: SnsWebhook;
  let gate: RestoreGate;

  beforeAll(async () => {
    sns = await SnsStandIn.start();
  });
  beforeEach(() => {
    called = [];
    gate = new RestoreGate();
    answer = () => new Response('<ConfirmSubscriptionResponse/>');
    sns.asked.length = 0;
    const fetch = async (url: string) => {
      called.push(url);
      return answer();
    };
    webhook = new SnsWebhook({ topicArns: [TOPIC_ARN] }, sns, new FixedClock(NOW), gate, fetch);
  });

  const receive = (message: unknown, headers: Record<string, string> = {}): Promise<WebhookOutcome> =>
    webhook.receive({
      headers,
      body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
      sender: SENDER,
    });
  const codeOf = (message: unknown, headers?: Record<string, string>) =>
    receive(message, headers).then(
      (outcome) => outcome.kind,
      (error: { code: string }) => error.code,
    );

  test.each(['1', '2'])('accepts an event with a signature of version %s', async (SignatureVersion) => {
    const outcome = await receive(sns.message({ Message: MESSAGE, SignatureVersion }));
    expect(outcome).toMatchObject({
      kind: 'event',
      providerId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
      event: { kind: 'bounce', sourceDomain: 'example.com', recipients: ['john@example.net'] },
    });
    expect(sns.asked).toEqual([sns.certificateUrl]);
  });

  test('accepts a message with a subject, and one whose subject is null', async () => {
    expect(await codeOf(sns.message({ Message: MESSAGE, Subject: 'Amazon SES Email Event Notification' }))).toBe(
      'event',
    );
    expect(await codeOf({ ...sns.message({ Message: MESSAGE }), Subject: null })).toBe('event');
  });

  test('accepts exactly the messages that an independent validator accepts', async () => {
    const messages = (['1', '2'] as const).flatMap((SignatureVersion) => [
      sns.message({ SignatureVersion, Message: MESSAGE, Subject: 'ünïcode' }),
      sns.confirmation('SubscriptionConfirmation', { SignatureVersion }),
      sns.confirmation('UnsubscribeConfirmation', { SignatureVersion }),
    ]);
    for (const genuine of messages) {
      const forged = { ...genuine, Message: `${genuine.Message} ` };
      expect(await Promise.all([oracle(genuine), oracle(forged)])).toEqual([true, false]);
      expect(await codeOf(genuine)).not.toMatch(/^relay_/);
      expect(await codeOf(forged)).toBe('relay_signature_invalid');
    }
  });

  test('a changed byte of a signed field or of the signature is refused', async () => {
    const genuine = [
      sns.message({ Message: MESSAGE, Subject: 'Subject' }),
      sns.confirmation('SubscriptionConfirmation', { SignatureVersion: '2' }),
    ];
    const fields = [
      'Message',
      'MessageId',
      'Subject',
      'SubscribeURL',
      'Timestamp',
      'Token',
      'TopicArn',
      'Type',
      'Signature',
    ] as const;
    const change = fc.tuple(
      fc.constantFrom(...genuine),
      fc.constantFrom(...fields),
      fc.nat(),
      fc.integer({ min: 1, max: 127 }),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([message, field, position, mask]) => {
        const value = message[field];
        if (value === undefined) return;
        const bytes = Buffer.from(value);
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        expect(await codeOf({ ...message, [field]: bytes.toString() })).toMatch(/^relay_/);
      }),
      { numRuns: 500 },
    );
    expect(called).toEqual([]);
  });

  test('only the canonical base64 of a signature is accepted', async () => {
    const message = sns.message({ Message: MESSAGE });
    // 256 bytes end in `x==`, where the last letter has four bits to spare.
    const spare = message.Signature.replace(
      /(.)==$/,
      (_, letter: string) => `${String.fromCharCode(letter.charCodeAt(0) + 1)}==`,
    );
    expect(Buffer.from(spare, 'base64')).toEqual(Buffer.from(message.Signature, 'base64'));
    for (const Signature of [spare, ` ${message.Signature}`, `${message.Signature}!`]) {
      expect(await codeOf({ ...message, Signature })).toBe('relay_signature_invalid');
    }
  });

  test.each(['Signature', 'SignatureVersion', 'SigningCertURL'])(
    'without %s, or with another kind of value there, it is not signed, whatever else it lacks',
    async (name) => {
      const message = sns.confirmation('SubscriptionConfirmation');
      for (const value of [undefined, null, 1, {}, ['x']]) {
        expect(await codeOf({ ...message, [name]: value })).toBe('relay_signature_invalid');
        expect(await codeOf({ ...message, Type: 'x', TopicArn: 1, Timestamp: '', [name]: value })).toBe(
          'relay_signature_invalid',
        );
      }
      expect(await codeOf({})).toBe('relay_signature_invalid');
      expect(called).toEqual([]);
      expect(sns.asked).toEqual([]);
    },
  );

  test.each(['Type', 'MessageId', 'TopicArn', 'Message', 'Timestamp', 'Token', 'SubscribeURL'])(
    'without %s, or with another kind of value there, it is malformed',
    async (name) => {
      const message = sns.confirmation('SubscriptionConfirmation');
      for (const value of [undefined, null, 1, {}]) {
        expect(await codeOf({ ...message, [name]: value })).toBe('relay_event_malformed');
      }
    },
  );

  test('text that is moved from one signed field to the next is refused', async () => {
    const message = sns.message({ Message: MESSAGE, Subject: 'a\nTimestamp\nb' });
    expect(await codeOf({ ...message, Subject: 'a' })).toBe('relay_signature_invalid');
    expect(await codeOf({ ...message, Subject: undefined })).toBe('relay_signature_invalid');
  });

  test.each(['0', '3', '', 'toString'])('a signature of version "%s" is refused', async (SignatureVersion) => {
    expect(await codeOf({ ...sns.message(), SignatureVersion })).toBe('relay_signature_invalid');
  });

  test('another topic is refused before any request, even with a valid signature', async () => {
    for (const TopicArn of [
      `${TOPIC_ARN}2`,
      TOPIC_ARN.toUpperCase(),
      'arn:aws:sns:eu-central-1:999999999999:ses-events',
      '',
    ]) {
      expect(await codeOf(sns.message({ TopicArn, Message: MESSAGE }))).toBe('relay_topic_unknown');
      expect(await codeOf(sns.confirmation('SubscriptionConfirmation', { TopicArn }))).toBe('relay_topic_unknown');
    }
    expect([...sns.asked, ...called]).toEqual([]);
  });

  test.each([
    ['another host', 'https://evil.example/SimpleNotificationService-{}.pem'],
    ['the host of another region', 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-{}.pem'],
    [
      'a host with the same beginning',
      'https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-{}.pem',
    ],
    ['a bucket', 'https://s3.eu-central-1.amazonaws.com/sns/SimpleNotificationService-{}.pem'],
    ['a host of the same length', 'https://sns.eu-central-1.amazonevs.com/SimpleNotificationService-{}.pem'],
    ['a user', 'https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-{}.pem'],
    ['a port', 'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-{}.pem'],
    ['no TLS', 'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-{}.pem'],
    ['a query', 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-{}.pem?x=.pem'],
    ['a path', 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-../../{}.pem'],
    ['nonsense', ''],
  ])('a certificate at %s is refused and not fetched', async (_, url) => {
    expect(await codeOf(sns.message({ SigningCertURL: url.replace('{}', 'a'.repeat(32)) }))).toBe(
      'relay_signature_invalid',
    );
    expect(sns.asked).toEqual([]);
  });

  test('a message that is too old or too far in the future is refused', async () => {
    const at = (ms: number) =>
      codeOf(sns.message({ Message: MESSAGE, Timestamp: new Date(NOW.getTime() + ms).toISOString() }));
    const days14 = 14 * 24 * 3_600_000;
    expect(await at(-days14)).toBe('event');
    expect(await at(-days14 - 1)).toBe('relay_event_too_old');
    expect(await at(300_000)).toBe('event');
    expect(await at(300_001)).toBe('relay_event_too_old');
    expect(await codeOf(sns.message({ Timestamp: 'soon' }))).toBe('relay_event_malformed');
  });

  test('raw delivery is refused with a sentence that explains what to change', async () => {
    await expect(receive(aSesBounce(), { 'x-amz-sns-rawdelivery': 'true' })).rejects.toMatchObject({
      code: 'relay_signature_invalid',
      message: expect.stringContaining('switch it off'),
    });
  });

  test('a subscription is confirmed with a request to the host of the topic', async () => {
    const message = sns.confirmation('SubscriptionConfirmation');
    expect(await codeOf(message)).toBe('confirmed');
    expect(called).toEqual([message.SubscribeURL]);
  });

  test.each([
    'https://evil.example/?Action=ConfirmSubscription',
    'https://sns.eu-central-1.amazonaws.com:8443/?Action=ConfirmSubscription',
    'https://user@sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-central-1.amazonaws.com.evil.example/?Action=ConfirmSubscription',
    'http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-central-1.amazonaws.com\\@evil.example/?x',
    'nonsense',
  ])('a subscription at %s is not confirmed, even when it is signed', async (SubscribeURL) => {
    expect(await codeOf(sns.confirmation('SubscriptionConfirmation', { SubscribeURL }))).toBe(
      'relay_signature_invalid',
    );
    expect(called).toEqual([]);
  });

  test('a failed confirmation throws relay_unavailable, so that SNS sends it again', async () => {
    answer = () => new Response('no', { status: 500 });
    expect(await codeOf(sns.confirmation('SubscriptionConfirmation'))).toBe('relay_unavailable');
  });

  test('while a restored database is not accepted, events are accepted and no subscription is confirmed', async () => {
    gate.set(true);
    expect(await codeOf(sns.confirmation('SubscriptionConfirmation'))).toBe('restore_not_accepted');
    expect(called).toEqual([]);
    expect(await codeOf(sns.message({ Message: MESSAGE }))).toBe('event');
    gate.set(false);
    expect(await codeOf(sns.confirmation('SubscriptionConfirmation'))).toBe('confirmed');
  });

  test('the end of a subscription is ignored with a reason, and makes no request', async () => {
    expect(await receive(sns.confirmation('UnsubscribeConfirmation'))).toMatchObject({
      kind: 'ignored',
      reason: expect.stringContaining('was removed'),
    });
    expect(called).toEqual([]);
  });

  test.each([
    'Successfully validated SNS topic for Amazon SES event publishing.',
    '{"notificationType":"AmazonSnsSubscriptionSucceeded","message":"You have subscribed"}\n',
  ])('%s is ignored', async (Message) => {
    expect(await codeOf(sns.message({ Message }))).toBe('ignored');
  });

  test('a genuine message of another shape is malformed', async () => {
    expect(await codeOf(sns.message({ Message: '{"hello":"world"}' }))).toBe('relay_event_malformed');
  });

  test('any other body is refused', async () => {
    const odd = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ Type: fc.constant('Notification'), TopicArn: fc.anything() })
        .map((value) => JSON.stringify(value) ?? ''),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (body) => {
        expect(await codeOf(body)).toMatch(/^relay_(event_malformed|signature_invalid)$/);
      }),
      { numRuns: 200 },
    );
  });

  test('throws relay_unavailable when the certificate cannot be fetched', async () => {
    const source = new HttpsCertificateSource(
      new CertificateInMemory(),
      new FixedClock(NOW),
      async () => new Response('busy', { status: 503 }),
    );
    const other = new SnsWebhook({ topicArns: [TOPIC_ARN] }, source, new FixedClock(NOW), gate);
    const body = Buffer.from(JSON.stringify(sns.message({ Message: MESSAGE })));
    await expect(other.receive({ headers: {}, body, sender: SENDER })).rejects.toMatchObject({
      code: 'relay_unavailable',
    });
  });

  /** An independent validator, with the certificate already in its cache. */
  async function oracle(message: SnsMessage): Promise<boolean> {
    const validator = new SnsPayloadValidator();
    const { certCache } = validator as unknown as { certCache: Map<string, string> };
    certCache.set(sns.certificateUrl, sns.pem);
    return validator.validate(JSON.stringify(message)).then(
      () => true,
      () => false,
    );
  }
});

describe('the host of a topic', () => {
  test.each([
    ['arn:aws:sns:us-east-1:123456789012:t', 'sns.us-east-1.amazonaws.com'],
    ['arn:aws-us-gov:sns:us-gov-west-1:123456789012:t', 'sns.us-gov-west-1.amazonaws.com'],
    ['arn:aws-cn:sns:cn-north-1:123456789012:t', 'sns.cn-north-1.amazonaws.com.cn'],
    ['arn:aws-eusc:sns:eusc-de-east-1:123456789012:t', 'sns.eusc-de-east-1.amazonaws.eu'],
  ])('%s is %s', (arn, host) => {
    expect(parseTopicArn(arn)).toEqual({ arn, host });
  });

  test.each([
    '',
    'arn:aws:sqs:us-east-1:123456789012:t',
    'arn:aws:sns:us-east-1:123456789012',
    'arn:aws:sns:evil.example/:1:t',
    'arn:constructor:sns:us-east-1:1:t',
    'arn:aws:sns:us-east-1:1:t:subscription',
  ])('"%s" is no topic', (arn) => {
    expect(() => parseTopicArn(arn)).toThrow('is not the ARN of an SNS topic');
  });
});
