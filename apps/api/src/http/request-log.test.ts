import { loggedPath, withoutSecrets } from './request-log.js';
import { RequestLogger } from './request-logger.js';

const KEY = 'live-Key.0123456789~abc+def=';
const OTHER_KEY = 'second.live.key-0123456789';
const PASSWORD = 'correct/horse battery';

describe('a logged path', () => {
  it('never contains the value of a token, also when it parses as a domain name', () => {
    expect(loggedPath('/api-keys/:token/usage', { token: OTHER_KEY })).toBe('/api-keys/:token/usage');
  });

  it.each([
    ['/domains/:domain_name', { domain_name: 'no-name' }, '/domains/:domain_name'],
    ['/domains/:domain_name', { domain_name: 'acme.test' }, '/domains/acme.test'],
    ['/domains/:domain_name', { domain_name: OTHER_KEY }, '/domains/:domain_name'],
    ['/users/:email', { email: `ann@${OTHER_KEY}` }, '/users/:email'],
    ['/domains/:domain_name', { domain_name: 'Bücher.DE' }, '/domains/xn--bcher-kva.de'],
    ['/aliases/:alias', { alias: '17' }, '/aliases/:alias'],
    ['/aliases/:alias', { alias: '*@acme.test' }, '/aliases/@acme.test'],
    ['/partners/:partner_ref', { partner_ref: 'acme.test' }, '/partners/:partner_ref'],
    ['', { token: KEY }, '(no route)'],
  ])('of %s with %j is %s', (route, params, path) => {
    expect(loggedPath(route, params)).toBe(path);
  });
});

describe('the stack of a defect', () => {
  it('contains none of the secrets of the request', () => {
    const lines: unknown[] = [];
    const logger = new RequestLogger({ error: (...line: unknown[]) => lines.push(line) } as never);
    logger.defect(new Error(`near '${KEY}' and ${PASSWORD}`), { requestId: 'id', requestUid: 'uid' }, [KEY, PASSWORD]);
    expect(JSON.stringify(lines)).not.toMatch(/live-Key|battery/);
    expect(JSON.stringify(lines)).toContain('request-log.test');
    expect(withoutSecrets('nothing', [KEY])).toBe('nothing');
  });
});
