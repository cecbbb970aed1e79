import { placeOf } from './place.js';

describe('the place to which the door leads', () => {
  it.each(['/', '/domains', '/domains/juniper.com/dns', '/domains?q=juniper&filter=blocked', '/usage?month=2026-11'])(
    'is %s below /portal',
    (to) => {
      expect(placeOf(to)).toBe(to);
    },
  );

  it.each([
    undefined,
    '',
    'domains',
    'https://elsewhere.example/',
    'javascript:alert(1)',
    '//elsewhere.example/',
    '///elsewhere.example/',
    '/\\elsewhere.example/',
    '\\\\elsewhere.example/',
    '/domains\\..\\..\\x',
    '/\t/elsewhere.example/',
    '/domains\n',
    '/../docs',
    '/domains/../../docs',
    '/%2e%2e/docs',
    '/.//elsewhere.example/',
    '/domains//x',
    '/enter',
    '/enter?to=/domains',
  ])('is not %j', (to) => {
    expect(placeOf(to)).toBeNull();
  });
});
