import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkRelayRecords } from './check-relay-records.js';
import type { DnsCheck } from './dns-check.js';
import type { DnsRecord } from './dns-records.js';
import { missingRecords } from './missing-records.js';

const DOMAIN = 'example.com' as DomainName;
const NAME = 'k1._domainkey.example.com';
const TARGET = 'k1.dkim.relay.example';
const KEY = 'p=MIGf';
const CNAME: DnsRecord = { purpose: 'dkim', type: 'CNAME', name: NAME, value: TARGET };
const TXT: DnsRecord = { purpose: 'dkim', type: 'TXT', name: NAME, value: 'v=DKIM1; k=rsa; p=MIGf' };

/** What is published: TXT records at the end of the name and at the target, and where the CNAME points. */
interface Zone {
  cname?: string;
  own?: string[];
  target?: string[];
  broken?: string[];
}

function zoneOf({ cname, own, target, broken = [] }: Zone): ScriptedDns {
  const dns = new ScriptedDns();
  if (cname !== undefined) dns.set('CNAME', NAME, cname);
  if (own !== undefined) dns.set('TXT', NAME, ...own);
  if (target !== undefined) dns.set('TXT', TARGET, ...target);
  for (const look of broken) dns.broken.add(look);
  return dns;
}

async function checkOf(zone: Zone, record = CNAME, isConfirmed = true): Promise<DnsCheck | undefined> {
  const [check] = await checkRelayRecords(zoneOf(zone), DOMAIN, { records: [record], failure: null, isConfirmed });
  return check;
}

describe('the check of a DKIM record that is a CNAME', () => {
  const right: [string, Zone, string, string[]][] = [
    ['the CNAME of the provider', { cname: TARGET, own: [KEY], target: [KEY] }, 'dkim_ok', [TARGET]],
    ['the CNAME of the provider, which has no key yet', { cname: TARGET }, 'dkim_ok', [TARGET]],
    [
      'the CNAME of the provider when no key can be looked up',
      { cname: TARGET, broken: [`TXT ${NAME}`, `TXT ${TARGET}`] },
      'dkim_ok',
      [TARGET],
    ],
    [
      'the CNAME of the provider when its key cannot be looked up at the target',
      { cname: TARGET, own: [KEY], broken: [`TXT ${TARGET}`] },
      'dkim_ok',
      [TARGET],
    ],
    [
      'other CNAMEs or a DNAME to the key',
      { cname: 'x.example', own: [KEY], target: [KEY] },
      'dkim_same_key',
      ['x.example'],
    ],
    ['the key without a CNAME', { own: [KEY], target: [KEY] }, 'dkim_flattened', [KEY]],
    [
      'the key, whose blanks and other tags have no meaning',
      { own: ['v=DKIM1; k=rsa; p=MI Gf;'], target: [KEY] },
      'dkim_flattened',
      ['v=DKIM1; k=rsa; p=MI Gf;'],
    ],
    [
      'the key beside what is no DKIM record',
      { own: ['v=spf1 -all', KEY, 'v=DKIM2; p=x', 'p=x; p=y'], target: [KEY] },
      'dkim_flattened',
      ['v=spf1 -all', KEY, 'v=DKIM2; p=x', 'p=x; p=y'],
    ],
    [
      'the key when the CNAME cannot be looked up',
      { own: [KEY], target: [KEY], broken: [`CNAME ${NAME}`] },
      'dkim_ok',
      [KEY],
    ],
  ];
  test.each(right)('is ok with %s', async (_, zone, code, found) => {
    expect(await checkOf(zone)).toMatchObject({ status: 'ok', code, found, warnings: [] });
  });

  const wrong: [string, Zone, string, string[]][] = [
    [
      'other CNAMEs to another key',
      { cname: 'x.example', own: ['p=x'], target: [KEY] },
      'dkim_other_target',
      ['x.example'],
    ],
    ['other CNAMEs to nothing', { cname: 'x.example', target: [KEY] }, 'dkim_other_target', ['x.example']],
    [
      'other CNAMEs to a key that the provider has not',
      { cname: 'x.example', own: [KEY] },
      'dkim_other_target',
      ['x.example'],
    ],
    ['another key without a CNAME', { own: ['p=x'], target: [KEY] }, 'dkim_flattened_other', ['p=x']],
    ['another key beside the CNAME', { cname: TARGET, own: ['p=x'], target: [KEY] }, 'dkim_flattened_other', ['p=x']],
    ['the key in quotation marks', { own: [`"${KEY}"`], target: [KEY] }, 'dkim_quoted', [`"${KEY}"`]],
    [
      'a key of another version',
      { own: [`v=DKIM2; ${KEY}`], target: [KEY] },
      'dkim_flattened_other',
      [`v=DKIM2; ${KEY}`],
    ],
    [
      'a key before its version',
      { own: [`${KEY}; v=DKIM1`], target: [KEY] },
      'dkim_flattened_other',
      [`${KEY}; v=DKIM1`],
    ],
    [
      'the key twice in a record',
      { own: [`${KEY}; ${KEY}`], target: [KEY] },
      'dkim_flattened_other',
      [`${KEY}; ${KEY}`],
    ],
    ['two keys', { own: [KEY, 'p=x'], target: [KEY] }, 'dkim_duplicate', [KEY, 'p=x']],
    [
      'two keys at the target',
      { cname: TARGET, own: [KEY, 'p=x'], target: [KEY, 'p=x'] },
      'dkim_duplicate',
      [KEY, 'p=x'],
    ],
    ['a revoked key', { own: ['p='], target: [KEY] }, 'dkim_revoked', ['p=']],
    ['a revoked key by other CNAMEs', { cname: 'x.example', own: ['v=DKIM1; p= '] }, 'dkim_revoked', ['v=DKIM1; p= ']],
  ];
  test.each(wrong)('is a mismatch with %s', async (_, zone, code, found) => {
    expect(await checkOf(zone)).toMatchObject({ status: 'mismatch', code, found, warnings: [] });
  });

  test.each<Zone>([
    { cname: TARGET, own: ['p='], target: ['p='] },
    { cname: TARGET, own: ['p='], broken: [`TXT ${TARGET}`] },
    { own: ['v=DKIM1; p='], target: ['p='] },
  ])('is ok, with a warning, when the provider itself has revoked the key: %j', async (zone) => {
    expect(await checkOf(zone)).toMatchObject({
      status: 'ok',
      warnings: [{ code: 'dkim_revoked_by_provider', params: { target: TARGET } }],
    });
  });

  const undecided: [string, Zone, string, string[]][] = [
    ['the CNAME', { broken: [`CNAME ${NAME}`] }, NAME, []],
    ['the CNAME, at another key', { own: ['p=x'], target: [KEY], broken: [`CNAME ${NAME}`] }, NAME, []],
    ['the key', { target: [KEY], broken: [`TXT ${NAME}`] }, NAME, []],
    ['the key of the provider', { own: [KEY], broken: [`TXT ${TARGET}`] }, TARGET, []],
    ['the key of the provider, of a revoked key', { own: ['p='], broken: [`TXT ${TARGET}`] }, TARGET, []],
    ['the key of other CNAMEs', { cname: 'x.example', broken: [`TXT ${NAME}`] }, NAME, ['dkim_other_target']],
    [
      'the key of the provider, beside other CNAMEs',
      { cname: 'x.example', own: [KEY], broken: [`TXT ${TARGET}`] },
      TARGET,
      ['dkim_other_target'],
    ],
  ];
  test.each(undecided)('is an error without an answer for %s', async (_, zone, name, warnings) => {
    const check = await checkOf(zone);
    expect(check).toMatchObject({ status: 'error', code: 'lookup_failed', params: { name } });
    expect(check?.warnings.map(({ code }) => code)).toEqual(warnings);
  });
});

describe('the check of a DKIM record that is a TXT record', () => {
  test.each([
    [['v=DKIM1; k=rsa; p=MIGf'], 'ok', 'dkim_ok'],
    [['p=MI Gf', 'v=spf1 -all'], 'ok', 'dkim_ok'],
    [['v=DKIM1; p=x'], 'mismatch', 'dkim_other_value'],
    [['hello'], 'mismatch', 'dkim_other_value'],
    [['"v=DKIM1; p=MIGf"'], 'mismatch', 'dkim_quoted'],
    [['v=DKIM1; p=MIGf', 'v=DKIM1; p=x'], 'mismatch', 'dkim_duplicate'],
    [['v=DKIM1; p='], 'mismatch', 'dkim_revoked'],
  ])('%j is %s: %s', async (own, status, code) => {
    expect(await checkOf({ own }, TXT)).toMatchObject({ status, code, found: own, warnings: [] });
  });

  test('is missing without a record or with one at the doubled name, and an error when the DNS fails', async () => {
    expect(await checkOf({}, TXT)).toMatchObject({
      type: 'TXT',
      name: NAME,
      required: true,
      expected: [TXT.value],
      found: [],
      status: 'missing',
      code: 'dkim_txt_missing',
    });
    const doubled = new ScriptedDns().set('TXT', `${NAME}.${DOMAIN}`, TXT.value);
    expect(
      await checkRelayRecords(doubled, DOMAIN, { records: [TXT], failure: null, isConfirmed: true }),
    ).toMatchObject([{ status: 'missing', code: 'name_doubled' }]);
    expect(await checkOf({ broken: [`TXT ${NAME}`] }, TXT)).toMatchObject({ status: 'error', code: 'lookup_failed' });
  });
});

describe('a DKIM record that the provider has not confirmed', () => {
  const unconfirmed = [{ code: 'dkim_unconfirmed' }];

  test('has a warning when it is right, after all others, and no other status', async () => {
    expect(await checkOf({ cname: TARGET }, CNAME, false)).toMatchObject({
      status: 'ok',
      code: 'dkim_ok',
      found: [TARGET],
      warnings: unconfirmed,
      detail: expect.stringMatching(/^The DKIM record is as expected\. The relay provider has not confirmed/),
    });
    expect(await checkOf({ own: TXT.value.split(';;') }, TXT, false)).toMatchObject({
      status: 'ok',
      warnings: unconfirmed,
    });
    const revoked = await checkOf({ cname: TARGET, own: ['p='], target: ['p='] }, CNAME, false);
    expect(revoked?.warnings.map(({ code }) => code)).toEqual(['dkim_revoked_by_provider', 'dkim_unconfirmed']);
  });

  test('has none when it is wrong, missing or not known', async () => {
    for (const zone of [{ own: ['p=x'], target: [KEY] }, {}, { broken: [`CNAME ${NAME}`] }]) {
      expect(await checkOf(zone, CNAME, false)).toMatchObject({ warnings: [] });
    }
  });
});

test('the missing records of a domain at risk are those that are not right, whatever warnings others have', async () => {
  const missing = (zone: Zone) => missingRecords(zoneOf(zone), DOMAIN, [CNAME]);
  expect(await missing({ cname: TARGET, own: ['p='], target: ['p='] })).toEqual([]);
  expect(await missing({ cname: 'x.example', own: [KEY], target: [KEY] })).toEqual([]);
  expect(await missing({ own: ['p='], target: [KEY] })).toEqual([NAME]);
  expect(await missing({ broken: [`CNAME ${NAME}`] })).toEqual([NAME]);
});
