import { mailto } from './mailto.js';

it.each([
  ['help@juniper.example', 'mailto:help@juniper.example'],
  ['help?bcc=eve@juniper.example', 'mailto:help%3Fbcc%3Deve@juniper.example'],
  ['help&subject=a%0Ab#c@juniper.example', 'mailto:help%26subject%3Da%250Ab%23c@juniper.example'],
  ['some.one+tag@juniper.example', 'mailto:some.one%2Btag@juniper.example'],
])('a link to write to %s has the address and no header field', (address, link) => {
  expect(mailto(address)).toBe(link);
  const url = new URL(mailto(address));
  expect([url.search, url.hash, decodeURIComponent(url.pathname)]).toEqual(['', '', address]);
});
