import { readdir, readFile } from 'node:fs/promises';
import { DNS_FINDING_CODES, finding } from './dns-findings.js';

describe('the findings of a DNS check', () => {
  test('have the sentence of their code with its parameters', () => {
    expect(finding('mx_missing', { name: 'example.com', hosts: 'mx1.example, mx2.example' })).toEqual({
      code: 'mx_missing',
      params: { name: 'example.com', hosts: 'mx1.example, mx2.example' },
      detail: 'example.com has no MX record. Publish an MX record for mx1.example and mx2.example.',
    });
    expect(finding('spf_ok')).toEqual({
      code: 'spf_ok',
      params: {},
      detail: 'The SPF record allows the relay to send.',
    });
  });

  test('have no code that no check uses', async () => {
    const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
      (name) => /^check-.*\.ts$|^dns-check\.ts$|^spf\/.*\.ts$/.test(name) && !name.endsWith('.test.ts'),
    );
    const texts = await Promise.all(files.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')));
    const unused = DNS_FINDING_CODES.filter((code) => !texts.some((text) => text.includes(`'${code}'`)));
    expect(unused).toEqual([]);
  });
});
