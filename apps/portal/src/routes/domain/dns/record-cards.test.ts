import type { DnsCheckRow } from '../../../api/shapes.js';
import { sortChecks } from './record-cards.js';

const PUBLISHED = { type: 'TXT', name: 'example.com', relative_name: '@', priority: null, value: 'v' };
const WARNING = { code: 'foreign_mx', params: {}, detail: 'Some mail may also be delivered elsewhere.' } as const;

function row(record: string, more: Partial<DnsCheckRow>): DnsCheckRow {
  return {
    record,
    type: 'TXT',
    name: 'example.com',
    expected: [],
    found: [],
    records: [PUBLISHED],
    status: 'ok',
    required: true,
    code: 'advice_ok',
    params: {},
    warnings: [],
    detail: '',
    ...more,
  };
}

describe('the cards of the DNS page', () => {
  const sorted = (...checks: DnsCheckRow[]) => {
    const { needed, advice, examples, right, notes } = sortChecks({ checks });
    const named = (cards: { record: string; rows: unknown[] }[]) =>
      cards.map(({ record, rows }) => `${record} ${rows.length}`);
    return {
      needed: named(needed),
      advice: named(advice),
      examples: named(examples),
      right: named(right),
      notes: notes.map(({ record }) => record),
    };
  };
  const none = { needed: [], advice: [], examples: [], right: [], notes: [] };

  it('are one for the keys of DKIM, which is right only when all of them are', () => {
    const dkim = (status: DnsCheckRow['status']) => row('dkim', { status });
    expect(sorted(dkim('ok'), dkim('ok'), dkim('ok'))).toEqual({ ...none, right: ['dkim 3'] });
    expect(sorted(dkim('ok'), dkim('missing'), dkim('ok'))).toEqual({ ...none, needed: ['dkim 3'] });
  });

  it('hold what is right with a warning beside what is wrong', () => {
    expect(sorted(row('mx', { warnings: [{ ...WARNING }] }), row('spf', {}))).toEqual({
      ...none,
      needed: ['mx 1'],
      right: ['spf 1'],
    });
    expect(sorted(row('dmarc', { required: false, status: 'missing' }))).toEqual({ ...none, advice: ['dmarc 1'] });
  });

  it('keep examples apart from what is to be published and from what is right', () => {
    const example = { example: true, required: false };
    expect(sorted(row('mx', { ...example, status: 'missing' }), row('spf', example))).toEqual({
      ...none,
      examples: ['mx 1', 'spf 1'],
    });
  });

  it('are none for a check without a record, which is named only when it is wrong', () => {
    const without = (record: string, more: Partial<DnsCheckRow>) => row(record, { records: [], ...more });
    const wrong = [
      without('dkim', { status: 'error' }),
      without('mta_sts', { status: 'mismatch', required: false }),
      without('spf', { required: false, warnings: [{ ...WARNING, code: 'spf_allows_all' }] }),
    ];
    expect(sorted(...wrong)).toEqual({ ...none, notes: ['dkim', 'mta_sts', 'spf'] });
    const nothing = [
      without('verification', { required: false }),
      without('tls_rpt', { status: 'missing', required: false }),
      without('mta_sts', { status: 'error', required: false }),
    ];
    expect(sorted(...nothing)).toEqual(none);
  });
});
