import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { Webhook } from 'standardwebhooks';
import fc from '../../../../scripts/fast-check.mjs';
import { aSesBounce } from '../ses/testing/ses-messages.js';
import { SandboxWebhook } from './sandbox-webhook.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = new Date('2026-03-15T12:00:00.000Z');
const BODY = JSON.stringify(aSesBounce('eventType'));

describe('the webhook of the sandbox', () => {
  const sender = '192.0.2.1';
  const webhook = new SandboxWebhook({ secret: SECRET }, new FixedClock(NOW));

  /** Signed by an independent implementation of the sender. */
  function signed(body = BODY, { id = 'msg_1', at = NOW, secret = SECRET } = {}) {
    return {
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      body: Buffer.from(body),
    };
  }
  type Request = Omit<Parameters<SandboxWebhook['receive']>[0], 'sender'>;
  const codeOf = (request: Request) =>
    webhook.receive({ ...request, sender }).then(
      (outcome) => outcome.kind,
      (error: { code: string }) => error.code,
    );

  test('accepts a signed event, with the id of the header', async () => {
    expect(await webhook.receive({ ...signed(), sender })).toMatchObject({
      kind: 'event',
      providerId: 'msg_1',
      event: { kind: 'bounce', bounceType: 'permanent', sourceDomain: 'example.com' },
    });
  });

  test('one valid signature among several is enough', async () => {
    const { headers, body } = signed();
    const other = signed(BODY, { secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' }).headers['webhook-signature'];
    const both = `${other} v1a,xx ${headers['webhook-signature']}`;
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': both }, body })).toBe('event');
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': other }, body })).toBe('relay_signature_invalid');
  });

  test('the timestamp may differ from now by at most five minutes, in both directions', async () => {
    const at = (seconds: number) => codeOf(signed(BODY, { at: new Date(NOW.getTime() + seconds * 1_000) }));
    expect([await at(-300), await at(300)]).toEqual(['event', 'event']);
    expect([await at(-301), await at(301)]).toEqual(['relay_event_too_old', 'relay_event_too_old']);
  });

  test('a changed byte of the body fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const request = signed();
        request.body[at] = (request.body[at] ?? 0) ^ mask;
        expect(await codeOf(request)).toBe('relay_signature_invalid');
      }),
      { numRuns: 200 },
    );
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'a missing or wrong %s is refused',
    async (name) => {
      const { headers, body } = signed();
      for (const value of [undefined, '', 'x', 'v1,', '1773576001']) {
        expect(await codeOf({ headers: { ...headers, [name]: value }, body })).toBe('relay_signature_invalid');
      }
    },
  );

  test('an SNS message is refused: the sandbox accepts only the shared secret', async () => {
    expect(await codeOf({ headers: {}, body: Buffer.from('{"Type":"Notification"}') })).toBe('relay_signature_invalid');
  });

  test.each(['', 'hello', '[]', '{}', '{"eventType":"Bounce"}'])('a signed body "%s" is malformed', async (body) => {
    expect(await codeOf(signed(body))).toBe('relay_event_malformed');
  });

  test.each(['', 'secret', 'whsec_'])('the secret "%s" is refused by the constructor', (secret) => {
    expect(() => new SandboxWebhook({ secret }, new FixedClock(NOW))).toThrow('must be whsec_');
  });
});
