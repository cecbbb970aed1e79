import type { TextRule } from './setting-rules.js';

export const HOST_NAME: TextRule = {
  pattern: /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/,
  expects: 'a host name of at least two labels, in lower case',
};
export const ADDRESS: TextRule = {
  pattern: /^[a-z0-9._=~&+-]+@[a-z0-9.-]+\.[a-z0-9-]+$/,
  expects: 'a mail address in lower case',
};
export const SERVER: TextRule = { pattern: /^[A-Za-z0-9.:-]+$/, expects: 'a host name or an IP address' };
export const DATABASE_HOST: TextRule = {
  pattern: /^(?!localhost$)[A-Za-z0-9.-]+$/,
  expects: 'a host name or an IPv4 address (not localhost, which means the socket)',
};
export const DATABASE_WORD: TextRule = { pattern: /^[A-Za-z0-9_]{1,64}$/, expects: 'of letters, digits and _' };
export const DATABASE_CLIENT: TextRule = {
  pattern: /^[A-Za-z0-9.:%_-]{1,255}$/,
  expects: 'a host as MariaDB writes it',
};
export const INSTANCE_NAME: TextRule = { pattern: /^[A-Za-z0-9_-]{1,64}$/, expects: 'of letters, digits, _ and -' };
export const SECRET: TextRule = {
  pattern: /^(?!change-me)[A-Za-z0-9._~+/=-]{16,128}$/,
  expects: "16 to 128 letters, digits and ._~+/=-, and not the example's",
};
export const RELAY_USER: TextRule = {
  pattern: /^(?!change-me)[!-9;-~]{1,128}$/,
  expects: "printable ASCII without blanks and colons, and not the example's",
};
export const RELAY_PASSWORD: TextRule = {
  pattern: /^(?!change-me)[!-~]{1,256}$/,
  expects: "printable ASCII without blanks, and not the example's",
};
export const LOOKUP_TABLE: TextRule = {
  pattern: /^(tcp:[A-Za-z0-9.-]+:\d+|socketmap:[A-Za-z0-9:/._-]+)$/,
  expects: 'a Postfix table such as tcp:127.0.0.1:10001',
};
export const HTTP_URL: TextRule = {
  pattern: /^https?:\/\/[A-Za-z0-9.:[\]-]+(\/[A-Za-z0-9._/-]*)?$/,
  expects: 'an http or https address',
};
export const OWN_LINE: TextRule = {
  pattern: /^[a-z][a-z0-9_]{0,99} = [!-~]([ -~]{0,1000}[!-~])?$/,
  expects: 'a line of the form "name = value"',
};
