import { zoneFileOf } from './zone-file.js';

const row = { found: [], status: 'missing' as const, required: true, detail: '' };

describe('the zone file', () => {
  it('has every required record, and of the advice what is not there yet', () => {
    const text = zoneFileOf({
      name: 'example.com',
      checks: [
        {
          ...row,
          record: 'mx',
          type: 'MX',
          name: 'example.com',
          expected: ['mx1.host.example', '20 mx2.host.example'],
        },
        { ...row, record: 'dkim', type: 'CNAME', name: 'a._domainkey.example.com', expected: ['a.dkim.example'] },
        { ...row, record: 'dmarc', type: 'TXT', name: '_dmarc.example.com', expected: ['v=DMARC1'], required: false },
        { ...row, record: 'spf', type: 'TXT', name: 'x.example', expected: ['v'], required: false, status: 'ok' },
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

  it('splits a text of more than 255 characters into strings, and escapes quotation marks', () => {
    const [, line] = zoneFileOf({
      name: 'example.com',
      checks: [{ ...row, record: 'dkim', type: 'TXT', name: 'k.example.com', expected: [`"${'x'.repeat(299)}`] }],
    }).split('\n');
    expect(line).toBe(String.raw`k.example.com. 3600 IN TXT "\"${'x'.repeat(254)}" "${'x'.repeat(45)}"`);
  });
});
