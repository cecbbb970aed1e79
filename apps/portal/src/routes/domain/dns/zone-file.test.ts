import type { DnsCheckRow } from '../../../api/shapes.js';
import { zoneFileOf } from './zone-file.js';

/** A check with one record for each value; the MX records have the priorities 10, 20 and so on. */
function row(
  record: string,
  type: string,
  name: string,
  values: string[],
  more: Partial<DnsCheckRow> = {},
): DnsCheckRow {
  return {
    record,
    type,
    name,
    expected: values,
    found: [],
    records: values.map((value, index) => ({
      type,
      name,
      relative_name: '@',
      priority: type === 'MX' ? 10 * (index + 1) : null,
      value,
    })),
    status: 'missing',
    required: true,
    code: 'mx_missing',
    params: {},
    warnings: [],
    detail: '',
    ...more,
  };
}

describe('the zone file', () => {
  it('has every required record, and of the advice what is not there yet', () => {
    const text = zoneFileOf({
      name: 'example.com',
      checks: [
        row('mx', 'MX', 'example.com', ['mx1.host.example', 'mx2.host.example']),
        row('dkim', 'CNAME', 'a._domainkey.example.com', ['a.dkim.example'], { status: 'ok' }),
        row('dmarc', 'TXT', '_dmarc.example.com', ['v=DMARC1'], { required: false }),
        row('spf', 'TXT', 'x.example', ['v'], { required: false, status: 'ok' }),
      ],
    });
    expect(text.split('\n')).toEqual([
      '; The DNS records of example.com',
      'example.com. 3600 IN MX 10 mx1.host.example.',
      'example.com. 3600 IN MX 20 mx2.host.example.',
      'a._domainkey.example.com. 3600 IN CNAME a.dkim.example.',
      '_dmarc.example.com. 3600 IN TXT "v=DMARC1"',
      '',
    ]);
  });

  it('has examples as comments only, which say that they are examples', () => {
    const example = { example: true, required: false };
    const checks = [
      row('mx', 'MX', 'example.com', ['mx1.mailstead.example', 'mx2.mailstead.example'], example),
      row('dmarc', 'TXT', '_dmarc.example.com', ['v=DMARC1'], { required: false }),
    ];
    expect(zoneFileOf({ name: 'example.com', checks }).split('\n')).toEqual([
      '; The DNS records of example.com',
      '; Examples, not to be published: the mail servers are not set up yet.',
      '; example.com. 3600 IN MX 10 mx1.mailstead.example.',
      '; example.com. 3600 IN MX 20 mx2.mailstead.example.',
      '_dmarc.example.com. 3600 IN TXT "v=DMARC1"',
      '',
    ]);
  });

  it('splits a text of more than 255 characters into strings, and escapes quotation marks', () => {
    const checks = [row('dkim', 'TXT', 'k.example.com', [`"${'x'.repeat(299)}`])];
    const [, line] = zoneFileOf({ name: 'example.com', checks }).split('\n');
    expect(line).toBe(String.raw`k.example.com. 3600 IN TXT "\"${'x'.repeat(254)}" "${'x'.repeat(45)}"`);
  });
});
