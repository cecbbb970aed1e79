import { createFormerViews, viewDifferences } from '@mailstead/adapters/database/testing/former-views';
import { HOUR_MS } from '@mailstead/core/clock';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { caseNumbers, sampled } from '@mailstead/core/testing/sampled';
import fc, { SEED } from '../../../../scripts/fast-check.mjs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const NAMES = ['up.example', 'a.up.example', 'b.up.example', 'x.a.up.example', 'alone.example'];
const PARTNERS = ['acme', 'rival'] as const;
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const RUNS = caseNumbers(20);

/** The parent more often, because a change of it changes what its children inherit. */
const name = fc.oneof(
  { weight: 2, arbitrary: fc.constant(NAMES[0] ?? '') },
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
);
const address = fc.tuple(fc.constantFrom('x', 'y'), name).map((parts) => parts.join('@'));
const partner = fc.constantFrom(...PARTNERS);
const cause = fc.constantFrom('operator', 'billing', 'abuse');
const flag = fc.boolean();
const put = (path: fc.Arbitrary<string>, verb: string, body: fc.Arbitrary<object>) =>
  fc.record({ kind: fc.constant('put' as const), path: path.map((text) => `${text}/${verb}`), body });
const ofDomain = name.map((text) => `/domains/${text}`);
const ofPartner = partner.map((text) => `/partners/${text}`);
const optional = (value: fc.Arbitrary<unknown>, key: string) =>
  fc.option(value).map((drawn) => (drawn === null ? {} : { [key]: drawn }));

/** One request, or one answer of the relay provider. Many are refused, because the platform is in another state. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('create' as const), name, by: fc.option(partner) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: ofDomain }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mailbox' as const), address }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('alias' as const), address, destination: address }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('verify' as const),
      name,
      status: fc.constantFrom('verified' as const, 'failed' as const, 'pending' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 40, 80) }) },
  {
    weight: 3,
    arbitrary: put(
      ofDomain,
      'suspend',
      cause.map((drawn) => ({ cause: drawn })),
    ),
  },
  { weight: 3, arbitrary: put(ofDomain, 'activate', optional(cause, 'cause')) },
  { weight: 2, arbitrary: put(ofPartner, 'suspend', fc.record({ cause, stage: fc.constantFrom('changes', 'all') })) },
  { weight: 3, arbitrary: put(ofPartner, 'activate', optional(cause, 'cause')) },
  {
    weight: 3,
    arbitrary: put(
      ofDomain,
      'outbound',
      flag.map((blocked) => ({ outbound_status: blocked ? 'blocked' : 'active' })),
    ),
  },
  {
    weight: 4,
    arbitrary: put(
      ofDomain,
      'parent',
      fc.oneof(
        fc.option(name).map((parent) => ({ parent })),
        fc.constantFrom('none', 'direct', 'any').map((mode) => ({ wildcard_mode: mode })),
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: put(
      ofDomain,
      'inbound',
      flag.map((open) => ({ inbound: open ? 'open' : 'pending' })),
    ),
  },
  {
    weight: 2,
    arbitrary: put(
      ofDomain,
      'partner',
      fc.option(partner).map((ref) => ({ partner_ref: ref ?? '' })),
    ),
  },
  {
    weight: 1,
    arbitrary: put(
      ofDomain,
      'retention',
      fc.constantFrom(0, 30).map((days) => ({ retention_days: days })),
    ),
  },
  {
    weight: 1,
    arbitrary: put(
      ofDomain,
      'transfer',
      fc.constantFrom(0, 1).map((mb) => ({ transfer_monthly_mb: mb })),
    ),
  },
  {
    weight: 1,
    arbitrary: put(
      ofDomain,
      'plan',
      fc.constantFrom('starter', 'business').map((plan) => ({ plan })),
    ),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Only on MariaDB, because mail servers do not read the embedded database. */
describe('what the mail servers read after random requests', () => {
  let api: TestApi;
  const keys = new Map<string, string>();
  let runs = 0;
  const succeeded = new Map<string, number>();

  beforeAll(async () => {
    api = await startTestApi('mariadb');
    for (const ref of PARTNERS) keys.set(ref, await api.key(ref));
    await createFormerViews(api.database);
    await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
  });
  afterAll(() => api.close());

  it('is what the views of the earlier releases computed from the domains, their parents and their partners', async () => {
    const chosen = sampled(RUNS, 2);
    for (const run of chosen) {
      await fc.assert(
        fc.asyncProperty(flag, fc.array(step, { minLength: 40, maxLength: 40 }), async (isVerified, steps) => {
          await begin(isVerified);
          for (const drawn of steps.map(ofRun)) {
            const isAccepted = await isDone(drawn);
            if (isAccepted) count(drawn);
            const now = api.clock.now();
            const later = [null, new Date(now.getTime() + 80 * HOUR_MS)];
            // After a refusal the views are those of before, whenever they are read.
            for (const at of [now, ...(isAccepted ? later : [])]) {
              expect({ after: drawn, wrong: await viewDifferences(api.database, at) }).toEqual({
                after: drawn,
                wrong: [],
              });
            }
          }
        }),
        { seed: SEED + run, numRuns: 1, endOnFailure: true },
      );
    }
    if (chosen.length < RUNS.length) return;
    // Each kind of change was made.
    expect([...succeeded.keys()].sort()).toEqual([
      'activate',
      'alias',
      'create',
      'delete',
      'inbound',
      'mailbox',
      'outbound',
      'parent',
      'partner',
      'plan',
      'restore',
      'retention',
      'suspend',
      'transfer',
      'verify',
      'wait',
    ]);
  });

  /** Each run has its own names, so that no run inherits the history of a name. */
  function ofRun<Drawn>(drawn: Drawn): Drawn {
    return JSON.parse(JSON.stringify(drawn).replaceAll('.example', `.run${runs}.example`)) as Drawn;
  }

  /** Makes a parent with children: verified with open ones, or unverified with ones that wait for its verification. */
  async function begin(isVerified: boolean): Promise<void> {
    runs += 1;
    const master = api.as(MASTER);
    for (const ref of PARTNERS) await master.put(`/partners/${ref}/activate`);
    const [parent = '', ...others] = ofRun(NAMES);
    await master.post('/domains/', { name: parent, partner_ref: 'acme' }).expect(201);
    await master.put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
    if (isVerified) await check(parent, 'verified');
    for (const each of others.slice(0, 3)) {
      await api
        .as(keys.get('acme') ?? '')
        .post('/domains/', { name: each })
        .expect(201);
      if (isVerified) await master.put(`/domains/${each}/inbound`, { inbound: 'open' }).expect(200);
      await master.put(`/domains/${each}/parent`, { parent, wildcard_mode: 'none' }).expect(200);
    }
  }

  function count(drawn: Step): void {
    const key = drawn.kind === 'put' ? drawn.path.slice(drawn.path.lastIndexOf('/') + 1) : drawn.kind;
    succeeded.set(key, (succeeded.get(key) ?? 0) + 1);
  }

  /** @returns whether the request was accepted */
  async function isDone(drawn: Step): Promise<boolean> {
    const master = api.as(MASTER);
    api.clock.advance(1_000);
    switch (drawn.kind) {
      case 'create': {
        const caller = drawn.by === null ? master : api.as(keys.get(drawn.by) ?? '');
        return (await caller.post('/domains/', { name: drawn.name })).status === 201;
      }
      case 'delete':
        return (await master.delete(drawn.path)).status === 204;
      case 'restore': {
        const { body } = await master.get(`/deleted?domain=${drawn.name}`);
        const id = (body as { id: number; name: string }[]).findLast((each) => each.name === drawn.name)?.id;
        return id !== undefined && (await master.post(`/deleted/${id}/restore`)).status === 200;
      }
      case 'mailbox':
        return (await master.post('/users/', { email: drawn.address, password_hash: HASH })).status === 201;
      case 'alias':
        return (
          (await master.post('/aliases/', { address: `to-${drawn.address}`, destination: drawn.destination }))
            .status === 201
        );
      case 'verify':
        return check(drawn.name, drawn.status);
      case 'wait':
        api.clock.advance(drawn.hours * HOUR_MS);
        return true;
      case 'put':
        return (await master.put(drawn.path, drawn.body)).status < 300;
    }
  }

  async function check(domain: string, status: 'verified' | 'failed' | 'pending'): Promise<boolean> {
    const [found] = await api.database.read('SELECT id FROM domain WHERE name = ?', [domain]);
    if (found === undefined) return false;
    api.relay.says(domain, status);
    return (await api.container.get(CheckVerification).execute(Number(found.id))) !== null;
  }
});
