import { replyTo } from './verdict-reply.js';

describe('the reply to a message that the domain’s counter cannot hold', () => {
  it.each([false, true])('refuses it for good, with a text for the sender (forwarded: %s)', (forwarded) => {
    const reply = replyTo({ action: 'reject', reason: 'counter_overflow' }, 'acme.example', forwarded);
    expect(reply).toBe('550 5.7.1 acme.example has sent more than this service can count [counter_overflow]');
  });
});
