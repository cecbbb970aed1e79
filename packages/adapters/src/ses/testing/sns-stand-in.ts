import { TOPIC_ARN } from './topic-arn.js';
import 'reflect-metadata';
import { createSign, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { CertificateSource } from '../certificate-source.js';
import { type SnsMessage, stringToSign } from '../sns-message.js';

/** Signs messages like SNS, with its own key and a self-signed certificate. */
export class SnsStandIn extends CertificateSource {
  readonly host = 'sns.eu-central-1.amazonaws.com';
  readonly certificateUrl = `https://${this.host}/SimpleNotificationService-${'a1'.repeat(16)}.pem`;
  /** The URLs passed to `publicKey`. */
  readonly asked: string[] = [];

  private constructor(
    private readonly privateKey: KeyObject,
    readonly pem: string,
  ) {
    super();
  }

  static async start(): Promise<SnsStandIn> {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      publicExponent: new Uint8Array([1, 0, 1]),
      modulusLength: 2_048,
    };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned(
      {
        serialNumber: '01',
        name: 'CN=sns.amazonaws.com',
        notBefore: new Date('2026-01-01'),
        notAfter: new Date('2027-01-01'),
        signingAlgorithm: algorithm,
        keys,
      },
      webcrypto,
    );
    return new SnsStandIn(KeyObject.from(keys.privateKey), certificate.toString('pem'));
  }

  override async publicKey(url: string): Promise<KeyObject> {
    this.asked.push(url);
    return new X509Certificate(this.pem).publicKey;
  }

  override async verified(): Promise<void> {}

  /** @returns a signed message: defaults, replaced by the given fields before signing */
  message(fields: Partial<SnsMessage> = {}): SnsMessage {
    const unsigned: Omit<SnsMessage, 'Signature'> = {
      Type: 'Notification',
      MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
      TopicArn: TOPIC_ARN,
      Message: '{}',
      Timestamp: '2026-03-15T12:00:00.000Z',
      SignatureVersion: '1',
      SigningCertURL: this.certificateUrl,
      ...fields,
    };
    const signer = createSign(unsigned.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1');
    return { ...unsigned, Signature: signer.update(stringToSign(unsigned)).sign(this.privateKey, 'base64') };
  }

  /** @returns a signed message that asks to confirm a subscription, or reports its end */
  confirmation(
    type: 'SubscriptionConfirmation' | 'UnsubscribeConfirmation',
    fields: Partial<SnsMessage> = {},
  ): SnsMessage {
    const Token = 'b'.repeat(64);
    const arn = encodeURIComponent(fields.TopicArn ?? TOPIC_ARN);
    return this.message({
      Type: type,
      Message: `You have chosen to subscribe to the topic ${TOPIC_ARN}.`,
      Token,
      SubscribeURL: `https://${this.host}/?Action=ConfirmSubscription&TopicArn=${arn}&Token=${Token}`,
      ...fields,
    });
  }
}
