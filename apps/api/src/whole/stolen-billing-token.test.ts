import { startTestApi } from '../testing/api-fixture.js';
import { routesToProve } from '../testing/stolen-token-suite.js';
import { WORST } from '../testing/stolen-token-worsts.js';

// The proofs are in `stolen-billing-token.slow.test.ts`.
it('a billing token may call only the changing routes whose worst is written down and proved', async () => {
  const api = await startTestApi('sqlite');
  const routes = routesToProve(api.routes);
  await api.close();
  expect(routes.sort()).toEqual(Object.keys(WORST).sort());
});
