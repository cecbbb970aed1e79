import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { ScriptedDns } from '@mailstead/core/testing/scripted-dns';
import { type SendResult, WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { GatedDns, GatedWebhookSender } from './gated-systems.js';

const ANSWER: SendResult = { outcome: 'ok', status: 200, answer: '' };

class CountedSender extends WebhookSender {
  readonly posted: string[] = [];

  override refusalOf(): string | null {
    return null;
  }

  override async post(url: string): Promise<SendResult> {
    this.posted.push(url);
    return ANSWER;
  }
}

it('no address is looked up while the service is closed, and that is no negative answer', async () => {
  const gate = new RestoreGate();
  const dns = new GatedDns(new ScriptedDns().set('A', 'mx1.mail.example', '192.0.2.25'), gate);
  gate.set(true);
  expect(await dns.addresses('mx1.mail.example')).toMatchObject({ outcome: 'error' });
  gate.set(false);
  expect(await dns.addresses('mx1.mail.example')).toEqual({ outcome: 'found', values: ['192.0.2.25'] });
});

it('a delivery that had begun when the service was closed is not posted, and is repeated later', async () => {
  const gate = new RestoreGate();
  const counted = new CountedSender();
  const sender = new GatedWebhookSender(counted, gate);
  const post = () =>
    sender.post('https://a.example/', {}, '{}', { readBytes: 0, signal: new AbortController().signal });
  gate.set(true);
  // Null ends the walk of the endpoint without an attempt (`EndpointWalk`).
  expect(await post()).toBeNull();
  expect(counted.posted).toEqual([]);
  gate.set(false);
  expect(await post()).toEqual(ANSWER);
  expect(counted.posted).toEqual(['https://a.example/']);
});
