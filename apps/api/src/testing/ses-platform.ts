import { randomUUID } from 'node:crypto';
import { type SesEmulator, startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';
import { SnsStandIn } from '@mailstead/adapters/ses/testing/sns-stand-in';
import { TestPlatform } from './platform.js';
import { answerAt, preload } from './preload.js';

/** A test platform with the SES emulator as its relay and a fake SNS that signs events. */
export interface SesPlatform {
  platform: TestPlatform;
  emulator: SesEmulator;
  /** Returns a new signed SNS message that contains an SES event, with its `MessageId`. */
  signed(event: object): { id: string; body: string };
  stop(): Promise<void>;
}

export async function startSesPlatform(): Promise<SesPlatform> {
  const sns = await SnsStandIn.start();
  const emulator = await startSesEmulator();
  const platform = await TestPlatform.start({
    ...sesSettings(emulator),
    ...preload(answerAt(sns.certificateUrl, sns.pem)),
  });
  return {
    platform,
    emulator,
    signed: (event) => {
      const id = randomUUID();
      const fields = { MessageId: id, Timestamp: new Date().toISOString(), Message: JSON.stringify(event) };
      return { id, body: JSON.stringify(sns.message({ ...fields, SignatureVersion: '2' })) };
    },
    stop: async () => {
      await platform.stop();
      await emulator.close();
    },
  };
}

/** Posts a signed SNS message to an API and returns the status. */
export async function postSns(url: string, body: string): Promise<number> {
  const response = await fetch(`${url}/webhooks/relay`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
