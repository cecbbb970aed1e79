import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import { relayProviderContract } from '@mailstead/core/testing/relay-provider-contract';
import { InProcessRateLimiter } from '../relay/in-process-rate-limiter.js';
import { UnlimitedRate } from '../relay/testing/unlimited-rate.js';
import { type SesRelayOptions, SesRelayProvider } from './ses-relay-provider.js';
import type { EmulatedFault } from './testing/emulated-responses.js';
import { type SesEmulator, startSesEmulator } from './testing/ses-emulator.js';
import { TOPIC_ARN } from './testing/topic-arn.js';

const ZONE = 'x1y2.dkim.emulated.example';
const DOMAIN = { id: 7, name: 'example.com' as DomainName, startedAt: new Date('2026-03-15T12:00:00.000Z') };
const OUR_TAGS = { 'mailstead-installation': 'inst-1', 'mailstead-domain': '7' };

function optionsFor(endpoint: string): SesRelayOptions {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  return {
    endpoint,
    region: 'eu-central-1',
    installationId: async () => 'inst-1',
    credentials,
    timeoutMs: 5_000,
    configurationSet: 'mailstead',
    tenantPolicy: null,
  };
}

function connect(url: string, rate = new UnlimitedRate(), options: Partial<SesRelayOptions> = {}): SesRelayProvider {
  return new SesRelayProvider({ ...optionsFor(url), ...options }, rate);
}

relayProviderContract(async () => {
  const emulator = await startSesEmulator();
  const provider = connect(emulator.url);
  return {
    provider,
    verify: ({ name }) => emulator.verify(name),
    now: () => new Date(),
    close: async () => {
      await provider.close();
      await emulator.close();
    },
  };
});

describe('SES', () => {
  const served = new Map<string, string>();
  let now = 0;
  let emulator: SesEmulator;
  let provider: SesRelayProvider;

  beforeAll(async () => {
    emulator = await startSesEmulator({
      resolveCname: async (name) => [served.get(name)].filter((target) => target !== undefined),
      maxPageSize: 2,
      now: () => now,
    });
    provider = connect(emulator.url);
  });
  afterAll(async () => {
    await provider.close();
    await emulator.close();
  });
  beforeEach(() => {
    emulator.reset();
    served.clear();
  });

  const stateOf = async () => provider.readIdentity(DOMAIN);

  test('a created identity has the tags of the installation and the domain, with one call', async () => {
    await provider.ensureIdentity(DOMAIN, false);
    expect(emulator.identity('example.com')?.tags).toEqual(OUR_TAGS);
    expect(emulator.requests).toEqual(['POST /v2/email/identities']);
  });

  test('a created identity has the configuration set and a key of 2048 bits, so that its bounces are published', async () => {
    const created = await provider.ensureIdentity(DOMAIN, false);
    expect(created).toMatchObject({ identity: { configurationSet: 'mailstead' } });
    expect(emulator.identity('example.com')).toMatchObject({
      configurationSet: 'mailstead',
      keyLength: 'RSA_2048_BIT',
    });
    emulator.verify('example.com');
    expect(emulator.send('example.com', 'BOUNCE')).toEqual([TOPIC_ARN]);
  });

  test('without the set at SES, an identity is made without it, and gets it when the set exists', async () => {
    emulator.account.sets.delete('mailstead');
    expect(await provider.ensureIdentity(DOMAIN, false)).toMatchObject({ identity: { configurationSet: null } });
    expect(await provider.alignIdentity(DOMAIN)).toMatchObject({ identity: { configurationSet: null } });
    emulator.account.reset();
    expect(await provider.alignIdentity(DOMAIN)).toMatchObject({ identity: { configurationSet: 'mailstead' } });
    expect(emulator.identity('example.com')?.configurationSet).toBe('mailstead');
  });

  test('an identity without the set gets it with two calls, and then costs one', async () => {
    emulator.put({ name: 'example.com', tags: OUR_TAGS, status: 'SUCCESS' });
    expect(emulator.send('example.com', 'BOUNCE')).toEqual([]);
    const identity = { status: 'verified', configurationSet: 'mailstead' };
    expect(await provider.alignIdentity(DOMAIN)).toMatchObject({ identity, calls: 2 });
    expect(emulator.send('example.com', 'BOUNCE')).toEqual([TOPIC_ARN]);
    await provider.alignIdentity(DOMAIN);
    expect(emulator.requests).toEqual([
      'GET /v2/email/identities/example.com',
      'PUT /v2/email/identities/example.com/configuration-set',
      'GET /v2/email/identities/example.com',
    ]);
  });

  test('the configuration set of an identity that is not of this domain is not changed', async () => {
    const foreign = emulator.put({ name: 'example.com', status: 'SUCCESS', configurationSet: 'theirs' });
    expect(await provider.alignIdentity(DOMAIN)).toEqual({ identity: null, calls: 1 });
    expect(foreign.configurationSet).toBe('theirs');
  });

  test('is verified when the name server returns the three records', async () => {
    const created = await provider.ensureIdentity(DOMAIN, false);
    if (created.outcome !== 'ours') throw new Error('foreign');
    const [first, ...others] = created.identity.records;
    for (const { name, value } of others) served.set(name, value);
    expect(await stateOf()).toMatchObject({ status: 'pending' });
    served.set(first?.name ?? '', first?.value ?? '');
    expect(await stateOf()).toMatchObject({ status: 'verified', providerStatus: 'success' });
  });

  test.each([
    ['of the answer', undefined, ZONE],
    ['of the oldest regions where the answer has none', null, 'dkim.amazonses.com'],
  ])('asks for a CNAME record for each token, to the zone %s', async (_, signingHostedZone, zone) => {
    const region = await startSesEmulator(signingHostedZone === undefined ? {} : { signingHostedZone });
    const { tokens } = region.put({ name: 'example.com', tags: OUR_TAGS });
    const there = connect(region.url);
    expect((await there.readIdentity(DOMAIN))?.records).toEqual(
      tokens.map((token) => ({
        purpose: 'dkim',
        type: 'CNAME',
        name: `${token}._domainkey.example.com`,
        value: `${token}.${zone}`,
      })),
    );
    expect(tokens).toHaveLength(3);
    await there.close();
    await region.close();
  });

  test('an existing identity of this domain is used unchanged', async () => {
    const there = emulator.put({ name: 'example.com', tags: OUR_TAGS, status: 'SUCCESS' });
    const answer = await provider.ensureIdentity(DOMAIN, true);
    expect(answer).toMatchObject({ outcome: 'ours', identity: { status: 'verified' } });
    expect(emulator.identity('example.com')).toBe(there);
  });

  test('an identity of another domain of this installation is created again, so that its old records do not verify', async () => {
    const former = emulator.put({
      name: 'example.com',
      tags: { ...OUR_TAGS, 'mailstead-domain': '6' },
      status: 'SUCCESS',
    });
    expect(await stateOf()).toBeNull();
    const answer = await provider.ensureIdentity(DOMAIN, false);
    expect(answer).toMatchObject({ outcome: 'ours', identity: { status: 'pending' } });
    expect(emulator.identity('example.com')?.tags).toEqual(OUR_TAGS);
    expect(emulator.identity('example.com')?.tokens).not.toEqual(former.tokens);
  });

  test.each([
    ['without tags', {}],
    ['of another installation, even with the same domain id', { ...OUR_TAGS, 'mailstead-installation': 'inst-2' }],
  ])('an identity %s is foreign and never touched', async (_, tags) => {
    const foreign = emulator.put({ name: 'example.com', tags, status: 'SUCCESS' });
    expect(await provider.ensureIdentity(DOMAIN, true)).toEqual({ outcome: 'foreign' });
    expect(await stateOf()).toBeNull();
    await provider.deleteIdentity(DOMAIN);
    expect(emulator.identity('example.com')).toBe(foreign);
    expect(emulator.requests.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  test('a failed identity is created again only on a restart', async () => {
    const failed = emulator.put({ name: 'example.com', tags: OUR_TAGS, status: 'FAILED' });
    expect(await provider.ensureIdentity(DOMAIN, false)).toMatchObject({ identity: { status: 'failed' } });
    expect(emulator.identity('example.com')).toBe(failed);
    expect(await provider.ensureIdentity(DOMAIN, true)).toMatchObject({ identity: { status: 'pending' } });
    expect(emulator.identity('example.com')?.tokens).not.toEqual(failed.tokens);
  });

  test('a deletion does not remove the identity of a later domain with the same name', async () => {
    emulator.put({ name: 'example.com', tags: { ...OUR_TAGS, 'mailstead-domain': '8' } });
    await provider.deleteIdentity(DOMAIN);
    expect(emulator.identity('example.com')).toBeDefined();
  });

  test('an address is taken off the list of the account in its own spelling; one that is not on it is taken off', async () => {
    emulator.suppressed.add('Joe+a@elsewhere.example').add('joe+a@elsewhere.example');
    await provider.liftSuppression('Joe+a@elsewhere.example');
    expect([...emulator.suppressed]).toEqual(['joe+a@elsewhere.example']);
    await provider.liftSuppression('Joe+a@elsewhere.example');
    expect(emulator.requests).toEqual(
      Array(2).fill('DELETE /v2/email/suppression/addresses/Joe%2Ba%40elsewhere.example'),
    );
  });

  test('creation and deletion of one name run in the order of the calls, across instances', async () => {
    const other = connect(emulator.url);
    await Promise.all([
      provider.ensureIdentity(DOMAIN, false),
      other.deleteIdentity(DOMAIN),
      provider.ensureIdentity(DOMAIN, false),
      other.deleteIdentity(DOMAIN),
    ]);
    expect(emulator.identity('example.com')).toBeUndefined();
    expect(emulator.requests.map((line) => line.split(' ')[0])).toEqual([
      'POST',
      'GET',
      'DELETE',
      'POST',
      'GET',
      'DELETE',
    ]);
    await other.close();
  });

  test('fails after 72 hours, with a reason', async () => {
    await provider.ensureIdentity(DOMAIN, false);
    now += 72 * 3_600_000 - 1;
    expect(await stateOf()).toMatchObject({ status: 'pending' });
    now += 1;
    expect(await stateOf()).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^The provider found no/),
    });
  });

  test('the list is read in pages and contains only domains', async () => {
    emulator.put({ name: 'a.example', status: 'SUCCESS' });
    emulator.put({ name: 'someone@b.example', type: 'EMAIL_ADDRESS', status: 'SUCCESS' });
    emulator.put({ name: 'c.example', status: 'FAILED' });
    emulator.put({ name: 'd.example', status: 'TEMPORARY_FAILURE', sending: true });
    emulator.put({ name: 'e.example', status: 'NOT_STARTED' });
    const listed = [];
    let token: string | null = null;
    do {
      const page = await provider.listIdentities(token);
      listed.push(...page.listed);
      token = page.nextToken;
    } while (token !== null);
    expect(emulator.requests).toHaveLength(3);
    expect(listed).toEqual([
      { name: 'a.example', status: 'verified', atRisk: false },
      { name: 'c.example', status: 'failed', atRisk: false },
      { name: 'd.example', status: 'verified', atRisk: true },
      { name: 'e.example', status: 'pending', atRisk: false },
    ]);
  });

  test.each<[EmulatedFault]>([['html503'], ['html200'], ['html404'], ['reset'], ['closeMidBody'], ['accessDenied']])(
    'a fault like %s is relay_unavailable for every call, after one request each',
    async (fault) => {
      const calls = [
        () => provider.readIdentity(DOMAIN),
        () => provider.ensureIdentity(DOMAIN, true),
        () => provider.deleteIdentity(DOMAIN),
        () => provider.listIdentities(null),
        () => provider.liftSuppression('joe@elsewhere.example'),
      ];
      for (const call of calls) {
        emulator.fault(fault);
        const error = await call().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'relay_unavailable' });
        expect((error as AppError).message).not.toMatch(/arn:|JSON|token/i);
      }
      expect(emulator.requests).toHaveLength(calls.length);
    },
  );

  test.each<[EmulatedFault]>([['hang'], ['hangMidBody']])(
    'a call with the fault %s ends at the time limit',
    async (fault) => {
      const hasty = connect(emulator.url, undefined, { timeoutMs: 100 });
      emulator.put({ name: 'example.com', tags: OUR_TAGS });
      // The first call may end before its request is sent, which then takes the fault of the second one.
      emulator.fault(fault, 2);
      await hasty.readIdentity(DOMAIN).catch(() => null);
      await expect(hasty.readIdentity(DOMAIN)).rejects.toMatchObject({
        code: 'relay_unavailable',
        message: 'The relay provider did not answer in time; try again',
      });
      await hasty.close();
    },
  );

  test.each(['LimitExceededException', 'TooManyRequestsException'] as const)(
    '%s is relay_unavailable and not repeated',
    async (error) => {
      emulator.limitRate(1_000, error);
      await provider.ensureIdentity(DOMAIN, false);
      await expect(stateOf()).rejects.toMatchObject({ code: 'relay_unavailable' });
      expect(emulator.requests).toHaveLength(2);
    },
  );

  test('throws relay_unavailable when the server cannot be reached', async () => {
    const lost = connect('http://127.0.0.1:1');
    await expect(lost.readIdentity(DOMAIN)).rejects.toMatchObject({ code: 'relay_unavailable' });
  });

  test('calls use the share of the process, and the list always the background share', async () => {
    const rate = new UnlimitedRate();
    const reader = connect(emulator.url, rate, { share: 'interactive' });
    await reader.readIdentity(DOMAIN);
    await reader.listIdentities(null);
    expect(rate.taken).toEqual(['interactive', 'background']);
    await reader.close();
  });

  test('keeps the rate when many calls are made at once', async () => {
    const rules = { intervalMs: 20, interactiveIntervalMs: 40, maxWaitMs: { interactive: 1_000, background: 10_000 } };
    const paced = new SesRelayProvider(optionsFor(emulator.url), new InProcessRateLimiter(rules));
    await paced.listIdentities(null);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => paced.listIdentities(null)));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(7 * 20 - 5);
    await paced.close();
  });
});
