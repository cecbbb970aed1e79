import { ApiProblem } from '@mailstead/client/api-problem';
import { ListedSenders } from '../milter/testing/listed-senders.js';
import { OwnAddressCheck } from './own-address-check.js';

const login = 'alice@acme.test';
const own = { login, address: login };
const alias = { login, address: 'info@acme.test' };

describe('the sender check while the API is unavailable', () => {
  let senders: ListedSenders;
  let check: OwnAddressCheck;

  beforeEach(() => {
    senders = new ListedSenders({ [login]: ['info@acme.test'] });
    check = new OwnAddressCheck(senders);
  });

  it('returns the API’s answers while the API is available', async () => {
    expect(await check.mayUse([own, alias])).toEqual([false, true]);
  });

  it('lets a login use its own address, and throws for any other address', async () => {
    senders.broken = new Error('connect ECONNREFUSED');
    expect(await check.mayUse([own])).toEqual([true]);
    expect(await check.mayUse([{ login: 'Alice@Acme.test', address: login }])).toEqual([true]);
    await expect(check.mayUse([alias])).rejects.toThrow('ECONNREFUSED');
    await expect(check.mayUse([own, alias])).rejects.toThrow('ECONNREFUSED');
  });

  it('allows no address when the API refuses the request, for instance because of a wrong token', async () => {
    senders.broken = new ApiProblem(401, 'token_invalid', 'The token is not known', [], null);
    await expect(check.mayUse([own])).rejects.toThrow(ApiProblem);
  });
});
