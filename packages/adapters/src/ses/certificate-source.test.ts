import { once } from 'node:events';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { until } from '@mailstead/core/testing/until';
import { DEADLINE_FACTOR } from '../../../../scripts/test-timeout.mjs';
import { HttpsCertificateSource } from './certificate-source.js';
import { CertificateInMemory } from './testing/certificate-in-memory.js';
import { SnsStandIn } from './testing/sns-stand-in.js';

const URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-x.pem';

const SENDER = '192.0.2.1';
const aborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
};
const urlOf = (name: number | string) => URL.replace('-x', `-${name}`);

describe('the source of certificates', () => {
  const clock = new FixedClock();
  let pem: string;
  beforeAll(async () => {
    pem = (await SnsStandIn.start()).pem;
  });

  /** Returns the responses in order, then repeats the last one. */
  function serve(...answers: (() => Response | Promise<Response>)[]) {
    const asked: string[] = [];
    const source = new HttpsCertificateSource(new CertificateInMemory(), clock, async (url) => {
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
    await Promise.all([source.publicKey(URL, SENDER), source.publicKey(URL, SENDER), source.publicKey(URL, SENDER)]);
    expect((await source.publicKey(URL, SENDER)).asymmetricKeyType).toBe('rsa');
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
    await expect(source.publicKey(URL, SENDER)).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect((await source.publicKey(URL, SENDER)).asymmetricKeyType).toBe('rsa');
    expect(asked).toHaveLength(2);
  });

  describe('while a server holds every fetch of an invented name', () => {
    let store: CertificateInMemory;
    let asked: string[];
    /** The most fetches that the server held at once. */
    let mostHeld: number;
    let source: HttpsCertificateSource;

    beforeEach(() => {
      // The 2 s of a fetch, so that the test does not take them.
      scaleDeadlines(0.05);
      asked = [];
      mostHeld = 0;
      store = new CertificateInMemory();
      source = start();
    });
    afterEach(() => scaleDeadlines(DEADLINE_FACTOR));

    /** A process. The server answers only for `genuine` names, and holds all others until `end`, or their deadline. */
    function start(end?: AbortSignal): HttpsCertificateSource {
      const urls = asked;
      let held = 0;
      return new HttpsCertificateSource(store, clock, async (url, { signal }) => {
        urls.push(url);
        if (url.includes('genuine')) return new Response(pem);
        held += 1;
        mostHeld = Math.max(mostHeld, held);
        await aborted(end ?? signal);
        held -= 1;
        throw new Error('given up');
      });
    }
    /** @returns the codes of what strangers got, who sent one message each from so many addresses */
    function flood(names: number, addresses: number): Promise<string[]> {
      return Promise.all(
        Array.from({ length: names }, (_, index) =>
          source.publicKey(urlOf(`invented${index}`), `198.51.100.${index % addresses}`).then(
            () => 'key',
            (error: { code: string }) => error.code,
          ),
        ),
      );
    }

    test('two are fetched at a time, one for each address, and each is given up', async () => {
      expect(await flood(2, 1)).toEqual(Array(2).fill('relay_unavailable'));
      expect(mostHeld).toBe(1);
      expect(await flood(4, 3)).toEqual(Array(4).fill('relay_unavailable'));
      expect(mostHeld).toBe(2);
      expect(asked).toEqual([0, 1, 0, 1, 2, 3].map((index) => urlOf(`invented${index}`)));
    });

    test('the certificate that verified last needs no fetch, also right after a restart', async () => {
      await source.publicKey(urlOf('genuine'), SENDER);
      await source.verified(urlOf('genuine'));
      const end = new AbortController();
      source = start(end.signal);
      const codes = flood(8, 8);
      await until('the first fetches', () => asked.length >= 3);
      expect((await source.publicKey(urlOf('genuine'), SENDER)).asymmetricKeyType).toBe('rsa');
      expect(asked).toEqual(['genuine', 'invented0', 'invented1'].map(urlOf));
      end.abort();
      expect(await codes).toEqual(Array(8).fill('relay_unavailable'));
    });

    test('a new name of SNS is fetched after at most one of each address that sends invented ones', async () => {
      await source.publicKey(urlOf('genuine-old'), SENDER);
      await source.verified(urlOf('genuine-old'));
      asked.length = 0;
      const codes = flood(30, 3);
      const key = source.publicKey(urlOf('genuine-new'), SENDER);
      expect((await key).asymmetricKeyType).toBe('rsa');
      expect(asked.indexOf(urlOf('genuine-new'))).toBeLessThanOrEqual(6);
      await source.verified(urlOf('genuine-new'));
      expect(store.kept?.url).toBe(urlOf('genuine-new'));
      expect(new Set(await codes)).toEqual(new Set(['relay_unavailable']));
    });
  });

  test('a certificate that verified nothing is not stored', async () => {
    const store = new CertificateInMemory();
    const source = new HttpsCertificateSource(store, clock, async () => good());
    await source.publicKey(URL, SENDER);
    await source.verified(urlOf('another'));
    expect(store.kept).toBeNull();
  });

  test.each([
    ['before it begins', '2025-12-31T23:59:59.999Z', 'relay_unavailable'],
    ['at its first moment', '2026-01-01T00:00:00.000Z', 'rsa'],
    ['at its last moment', '2027-01-01T00:00:00.000Z', 'rsa'],
    ['after its end', '2027-01-01T00:00:00.001Z', 'relay_unavailable'],
  ])('a certificate, stored or fetched, verifies %s: %s gives %s', async (_, at, expected) => {
    for (const kept of [{ url: URL, pem }, null]) {
      const source = new HttpsCertificateSource(new CertificateInMemory(kept), new FixedClock(new Date(at)), async () =>
        good(),
      );
      const result = await source.publicKey(URL, SENDER).then(
        ({ asymmetricKeyType }) => asymmetricKeyType,
        ({ code }: { code: string }) => code,
      );
      expect(result).toBe(expected);
    }
  });
});
