// @ts-check
// `node --import=scripts/loopback-webhooks.mjs program`: tests inject their rule about addresses, because no setting of
// the service lifts its own. The webhooks of the program go to the server of the tests, whatever host their URL names:
// every name is the loopback address, which alone is allowed, and MAILSTEAD_TEST_RECEIVERS is the port there.
import { GuardedWebhookSender } from '../packages/adapters/dist/webhooks/guarded-webhook-sender.js';

const port = process.env.MAILSTEAD_TEST_RECEIVERS;
if (port === undefined) throw new Error('MAILSTEAD_TEST_RECEIVERS names no port');

const sender = new GuardedWebhookSender({
  allow: (address) => address === '127.0.0.1',
  dnsServers: [],
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const post = sender.post.bind(sender);

GuardedWebhookSender.prototype.post = function postToLoopback(url, ...given) {
  const target = new URL(url);
  target.port = port;
  return post(target.href, ...given);
};
