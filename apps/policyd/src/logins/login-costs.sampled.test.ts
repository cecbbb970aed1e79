import { expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { readLogin } from './read-login.js';
import { TrustedHosts } from './trusted-hosts.js';

/** More than the server takes, because that costs nothing. */
const LONGEST = 262_144;
const PIECES = ['{"login":', '"a":', '[[', '{"a":', '\\u', '\\ud83d', '::', '1:', 'ffff:', '127.0.0.1', '@b.test', 'İ'];
const FIELDS = { login: 'a@b.test', client: '2001:db8::1', peer: '::ffff:192.0.2.1', session: 's', process: '7' };
const TRUSTED = new TrustedHosts(['192.0.2.1', '2001:db8::7']);
const read = (body: string) => readLogin(body, TRUSTED);

describe('a request of the auth policy', () => {
  it('takes at most 2.5 times as long as one of half the length', async () => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(1_000, 10),
      inputOf: (text) => text,
      read,
    });
  });

  it.each(Object.keys(FIELDS))('takes at most 2.5 times as long when %s is twice as long', async (name) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 4),
      inputOf: (text) => JSON.stringify({ ...FIELDS, [name]: text }),
      read,
    });
  });
});
