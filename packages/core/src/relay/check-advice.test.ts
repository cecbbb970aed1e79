import type { DomainName } from '../domains/domain-name.js';
import { ScriptedDns } from '../testing/scripted-dns.js';
import { checkMtaSts } from './check-mta-sts.js';
import { checkTlsRpt } from './check-tls-rpt.js';

const NAME = 'example.com' as DomainName;
const ID_32 = 'a1'.repeat(16);

describe('the check of MTA-STS, by RFC 8461 section 3.1,', () => {
  const NAME_OF_RECORD = '_mta-sts.example.com';
  const checkOf = (...records: string[]) => checkMtaSts(new ScriptedDns().set('TXT', NAME_OF_RECORD, ...records), NAME);

  test.each([
    'v=STSv1; id=20260301',
    'v=STSv1;id=20260301;',
    'v=STSv1 \t;\t id=a ; ',
    `v=STSv1; id=${ID_32}`,
    'v=STSv1; x-y.z_1=!<>/:; id=Az09',
    `v=STSv1; ${'x'.repeat(32)}=1; id=1; ID=2`,
  ])('accepts %j', async (record) => {
    expect(await checkOf(record, 'v=spf1 -all', 'v=stsv1; id=2')).toMatchObject({
      status: 'ok',
      code: 'advice_ok',
      found: [record],
      warnings: [],
    });
  });

  test.each([
    ['v=STSv1', 'mta_sts_incomplete', {}],
    ['v=STSv1;', 'mta_sts_incomplete', {}],
    ['v=STSv1; id=', 'mta_sts_incomplete', {}],
    ['v=STSv1; ID=1', 'mta_sts_incomplete', {}],
    ['v=STSv1; id=1; id=1', 'mta_sts_ids', { count: '2' }],
    [`v=STSv1; id=${ID_32}b`, 'mta_sts_id', { id: `${ID_32}b` }],
    ['v=STSv1; id=2026-03-01', 'mta_sts_id', { id: '2026-03-01' }],
    ['v=STSv1; id = 1', 'mta_sts_field', { field: 'id = 1' }],
    ['v=STSv1; id= 1', 'mta_sts_field', { field: 'id= 1' }],
    ['v=STSv1; id=1 ', 'mta_sts_field', { field: 'id=1 ' }],
    ['v=STSv1; id=1\u00a0; ', 'mta_sts_field', { field: 'id=1\u00a0' }],
    ['v=STSv1; id=1 2', 'mta_sts_field', { field: 'id=1 2' }],
    ['v=STSv1; id=1; max_age', 'mta_sts_field', { field: 'max_age' }],
    ['v=STSv1; id=1; a=b=c', 'mta_sts_field', { field: 'a=b=c' }],
    ['v=STSv1; id=1; -a=b', 'mta_sts_field', { field: '-a=b' }],
    ['v=STSv1; id=1;;', 'mta_sts_field', { field: '' }],
    [`v=STSv1; id=1; ${'x'.repeat(99)}=1`, 'mta_sts_field', { field: `${'x'.repeat(60)}…` }],
  ])('does not accept %j: %s', async (record, code, params) => {
    expect(await checkOf(record)).toMatchObject({ status: 'mismatch', code, params, found: [record] });
  });

  test.each([
    ['v=stsv1; id=1', 'v=stsv1'],
    ['V=STSv1; id=1', 'V=STSv1'],
    ['v=STSv10; id=1', 'v=STSv10'],
    ['v = STSv1; id=1', 'v = STSv1'],
    ['v=STSv1, id=1', 'v=STSv1, id=1'],
    ['STSv1; id=1', 'STSv1'],
    ['id=1; v=STSv1', 'id=1'],
    ['"v=STSV1; id=1"', 'v=STSV1'],
  ])('reads %j as no record, and says so', async (record, beginning) => {
    expect(await checkOf('v=spf1 -all', record)).toMatchObject({
      status: 'missing',
      code: 'mta_sts_other_version',
      params: { beginning },
      found: [record],
    });
  });

  test('tells of quotation marks, of several records, and of none', async () => {
    expect(await checkOf('"v=STSv1; id=1"')).toMatchObject({ status: 'mismatch', code: 'advice_quoted' });
    expect(await checkOf(' v=STSv1; id=1')).toMatchObject({ status: 'mismatch', code: 'advice_quoted' });
    expect(await checkOf('v=STSv1; id=1', 'v=STSv1; id=2')).toMatchObject({
      status: 'mismatch',
      code: 'advice_duplicate',
    });
    expect(await checkOf('v=spf1 -all')).toMatchObject({ status: 'missing', code: 'mta_sts_missing', found: [] });
  });
});

describe('the check of TLS-RPT, by RFC 8460 section 3,', () => {
  const NAME_OF_RECORD = '_smtp._tls.example.com';
  const checkOf = (...records: string[]) => checkTlsRpt(new ScriptedDns().set('TXT', NAME_OF_RECORD, ...records), NAME);

  test.each([
    'v=TLSRPTv1; rua=mailto:tls@example.com',
    'v=TLSRPTv1;rua=MAILTO:tls@example.com?subject=a%21b;',
    'v=TLSRPTv1 ; rua=mailto:tls@example.com , https://reports.example/tls?of=example.com ; x=1',
    'v=TLSRPTv1; rua=https://[2001:db8::1]/; rua=mailto:tls@example.com',
  ])('accepts %j', async (record) => {
    expect(await checkOf(record)).toMatchObject({ status: 'ok', code: 'advice_ok', found: [record] });
  });

  test.each([
    ['v=TLSRPTv1', 'tls_rpt_incomplete', {}],
    ['v=TLSRPTv1; rua=', 'tls_rpt_incomplete', {}],
    ['v=TLSRPTv1; RUA=mailto:tls@example.com', 'tls_rpt_incomplete', {}],
    ['v=TLSRPTv1; rua = mailto:tls@example.com', 'tls_rpt_field', { field: 'rua = mailto:tls@example.com' }],
    ['v=TLSRPTv1; rua= mailto:tls@example.com', 'tls_rpt_uri', { uri: ' mailto:tls@example.com' }],
    ['v=TLSRPTv1; rua=mailto:tls@example.com ', 'tls_rpt_uri', { uri: 'mailto:tls@example.com ' }],
    ['v=TLSRPTv1; rua=tls@example.com', 'tls_rpt_uri', { uri: 'tls@example.com' }],
    ['v=TLSRPTv1; rua=mailto:example.com', 'tls_rpt_uri', { uri: 'mailto:example.com' }],
    ['v=TLSRPTv1; rua=http://reports.example/', 'tls_rpt_uri', { uri: 'http://reports.example/' }],
    ['v=TLSRPTv1; rua=https:///tls', 'tls_rpt_uri', { uri: 'https:///tls' }],
    ['v=TLSRPTv1; rua=mailto:a!b@example.com', 'tls_rpt_uri', { uri: 'mailto:a!b@example.com' }],
    ['v=TLSRPTv1; rua=mailto:a%2@example.com', 'tls_rpt_uri', { uri: 'mailto:a%2@example.com' }],
    ['v=TLSRPTv1; rua=mailto:a@example.com,', 'tls_rpt_uri', { uri: '' }],
    ['v=TLSRPTv1; rua=mailto:a@example.com mailto:b@example.com', 'tls_rpt_uri', {}],
    ['v=TLSRPTv1; rua=mailto:a@example.com; mailto:b@example.com', 'tls_rpt_field', { field: 'mailto:b@example.com' }],
  ])('does not accept %j: %s', async (record, code, params) => {
    expect(await checkOf(record)).toMatchObject({ status: 'mismatch', code, params, found: [record] });
  });

  test.each([
    ['v=tlsrptv1; rua=mailto:tls@example.com', 'v=tlsrptv1'],
    ['v=TLSRPTv2; rua=mailto:tls@example.com', 'v=TLSRPTv2'],
    ['v =TLSRPTv1; rua=mailto:tls@example.com', 'v =TLSRPTv1'],
  ])('reads %j as no record, and says so', async (record, beginning) => {
    expect(await checkOf(record)).toMatchObject({
      status: 'missing',
      code: 'tls_rpt_other_version',
      params: { beginning },
      found: [record],
    });
  });
});
