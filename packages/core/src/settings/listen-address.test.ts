import { parseListenAddress } from './listen-address.js';

describe('the address that a server listens on', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8_080 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['unix:/run/policyd', { path: '/run/policyd' }],
  ])('%s is a host and a port, or a path', (text, expected) => {
    expect(parseListenAddress(text)).toEqual(expected);
  });

  it.each([
    '',
    '8080',
    ':8080',
    'localhost',
    'localhost:',
    'localhost:65536',
    '[::1:8080',
    '::1]:8080',
    'unix:policyd',
    'http://127.0.0.1:80',
    'a host:80',
    '[localhost]:80',
  ])('"%s" is none', (text) => {
    expect(parseListenAddress(text)).toBeNull();
  });
});
