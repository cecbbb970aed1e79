import { HttpsCertificateSource } from './certificate-source.js';
import { SnsStandIn } from './testing/sns-stand-in.js';

const URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-x.pem';

describe('the source of certificates', () => {
  let pem: string;
  beforeAll(async () => {
    pem = (await SnsStandIn.start()).pem;
  });

  /** Returns the responses in order, then repeats the last one. */
  function serve(...answers: (() => Response | Promise<Response>)[]) {
    const asked: string[] = [];
    const source = new HttpsCertificateSource(async (url) => {
      asked.push(url);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new Error('nothing to answer');
      return answer();
    });
    return { asked, source };
  }
  const good = () => new Response(pem);

  test('concurrent and later calls share one request', async () => {
    const { asked, source } = serve(good);
    await Promise.all([source.publicKey(URL), source.publicKey(URL), source.publicKey(URL)]);
    expect((await source.publicKey(URL)).asymmetricKeyType).toBe('rsa');
    expect(asked).toEqual([URL]);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ['an error', () => new Response('<html>503</html>', { status: 503 })],
    ['a page with status 200', () => new Response('<html>Welcome</html>')],
    ['more than 16 KB', () => new Response(`${'x'.repeat(16 * 1_024)}${pem}`)],
    ['nothing', () => new Response(null)],
    ['a broken connection', () => Promise.reject(new Error('ECONNRESET'))],
  ])('%s is relay_unavailable and not kept', async (_, bad) => {
    const { asked, source } = serve(bad, good);
    await expect(source.publicKey(URL)).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect((await source.publicKey(URL)).asymmetricKeyType).toBe('rsa');
    expect(asked).toHaveLength(2);
  });

  test('the number of concurrent requests is limited', async () => {
    const { asked, source } = serve(() => new Promise(() => {}));
    for (let index = 0; index < 8; index += 1) void source.publicKey(`${URL}${index}`);
    await expect(source.publicKey(`${URL}9`)).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect(asked).toHaveLength(8);
  });
});
