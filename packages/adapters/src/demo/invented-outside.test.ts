import type { DomainName } from '@mailstead/core/domains/domain-name';
import { checkMx } from '@mailstead/core/relay/check-mx';
import { checkSpf } from '@mailstead/core/relay/check-spf';
import { platformProblem } from '@mailstead/core/relay/looks/platform-records';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { InventedDns } from './invented-dns.js';
import { AGED_MS, type Fate, type InventedOutside } from './invented-outside.js';
import { InventedRelay } from './invented-relay.js';

const EXPECTED = { mxHosts: ['mx1.mailstead.example'], spfInclude: 'spf.mailstead.example' };
const LACKS = ['mx', 'mx_elsewhere', 'mx_mailboxes', 'spf'] as const;
const FATES: Fate[] = ['waits', 'fails', 'lost', 'at_risk'];
const OUTSIDE: InventedOutside = {
  lacks: new Map(LACKS.map((lack) => [`${lack.replace('_', '-')}.example`, [lack]])),
  fates: new Map(FATES.map((fate) => [`${fate.replace('_', '-')}.example`, fate])),
};

describe('the DNS of a demo', () => {
  const dns = new InventedDns(OUTSIDE, EXPECTED);

  it('has the records of the platform, and all of a domain that is not named', async () => {
    expect(await platformProblem(dns, EXPECTED)).toBeNull();
    const name = 'well.example' as DomainName;
    expect((await checkMx(dns, name, EXPECTED.mxHosts, [])).status).toBe('ok');
    expect((await checkSpf(dns, name, EXPECTED.spfInclude)).status).toBe('ok');
  });

  it('lacks what it is told to lack', async () => {
    const codes = await Promise.all(
      [...OUTSIDE.lacks.keys()].map(async (name) => [
        (await checkMx(dns, name as DomainName, EXPECTED.mxHosts, [])).code,
        (await checkSpf(dns, name as DomainName, EXPECTED.spfInclude)).status,
      ]),
    );
    expect(codes).toEqual([
      ['mx_missing', 'ok'],
      ['mx_elsewhere', 'ok'],
      ['mx_mailboxes', 'ok'],
      ['mx_ok', 'missing'],
    ]);
  });

  it('knows no name that is not below .example', async () => {
    expect(await dns.mx('example.com')).toEqual({ outcome: 'missing' });
    expect(await dns.txt('example.com')).toEqual({ outcome: 'missing' });
  });
});

describe('the relay of a demo', () => {
  const clock = new FixedClock();
  const relay = new InventedRelay({ verifyAfterSeconds: 5 }, clock, OUTSIDE.fates);
  const startedAt = clock.now();
  const identityOf = (name: string) => relay.readIdentity({ id: 1, name: name as DomainName, startedAt });
  const statuses = async () =>
    Promise.all(
      ['well.example', ...OUTSIDE.fates.keys()].map(async (name) => {
        const { status, atRisk } = await identityOf(name);
        return atRisk === null ? status : 'at_risk';
      }),
    );

  it('verifies a domain, and gives each other one its fate', async () => {
    expect(await statuses()).toEqual(['pending', 'pending', 'pending', 'pending', 'pending']);
    clock.advance(5_000);
    expect(await statuses()).toEqual(['verified', 'pending', 'failed', 'verified', 'verified']);
    clock.advance(AGED_MS);
    expect(await statuses()).toEqual(['verified', 'pending', 'failed', 'failed', 'at_risk']);
  });

  it('finds its DKIM records in the DNS of the demo, except those of a domain with a fate', async () => {
    const dns = new InventedDns(OUTSIDE, EXPECTED);
    for (const [name, outcome] of [
      ['well.example', 'found'],
      ['at-risk.example', 'missing'],
    ] as const) {
      const { records } = await identityOf(name);
      const answers = await Promise.all(records.map((record) => dns.cname(record.name)));
      expect(answers.map((answer) => answer.outcome)).toEqual([outcome, outcome, outcome]);
    }
  });
});
