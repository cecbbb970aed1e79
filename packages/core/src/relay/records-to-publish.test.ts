import type { DnsCheck } from './dns-check.js';
import { recordsToPublish } from './records-to-publish.js';

const SPF: DnsCheck = {
  record: 'spf',
  type: 'TXT',
  name: 'shop.example',
  expected: ['v=spf1 include:mail.example ~all'],
  found: [],
  status: 'missing',
  required: true,
  code: 'spf_missing',
  params: { include: 'mail.example' },
  warnings: [],
  detail: '',
};

describe('the SPF record to publish', () => {
  it('is the whole one when there is none', () => {
    expect(recordsToPublish(SPF, 'shop.example')).toEqual([
      {
        type: 'TXT',
        name: 'shop.example',
        relativeName: '@',
        priority: null,
        value: 'v=spf1 include:mail.example ~all',
      },
    ]);
  });

  it.each([
    ['v=spf1 mx -all', 'v=spf1 include:mail.example mx -all'],
    ['V=SPF1 redirect=other.example', 'v=spf1 include:mail.example redirect=other.example'],
    ['v=spf1', 'v=spf1 include:mail.example'],
  ])('is %j with our host when that one does not lead to it, because two records are invalid', (published, value) => {
    const check: DnsCheck = { ...SPF, found: [published], status: 'mismatch', code: 'spf_include_missing' };
    expect(recordsToPublish(check, 'shop.example').map((record) => record.value)).toEqual([value]);
  });
});
