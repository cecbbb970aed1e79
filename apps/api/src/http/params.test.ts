import { type Params, parametersIn } from './params.js';

type Has<Path extends string, Name extends string> = Name extends keyof Params<Path> ? true : false;

describe('the parameters of a path', () => {
  it('have the names in the path, as types: a misspelt name does not compile', () => {
    const first: Has<'/domains/:domain_name/bounces', 'domain_name'> = true;
    const last: Has<'/outbound/tiers/:tier', 'tier'> = true;
    const ofTwo: Has<'/domains/:domain_name/users/:email', 'domain_name'> = true;
    const misspelt: Has<'/domains/:domain_name/bounces', 'domian_name'> = false;
    const ofAnother: Has<'/users/:email', 'domain_name'> = false;
    const ofNone: Has<'/domains/', string> = false;
    const notDescribed: Has<'/notes/:note_id', 'note_id'> = false;
    expect([first, last, ofTwo, misspelt, ofAnother, ofNone, notDescribed]).toHaveLength(7);
  });

  it('are text, and for the rest of a path its segments', () => {
    const text: Params<'/users/:email'>['email'] = 'info@example.com';
    const segments: Params<'/portal/assets/*file'>['file'] = ['fonts', 'inter.woff2'];
    expect([text.length, segments.length]).toEqual([16, 2]);
  });

  it('are described with the error of a text that names nothing, in the order of the path', () => {
    expect(parametersIn('/domains/:domain_name/users/:email')).toEqual([
      expect.objectContaining({ name: 'domain_name', error: 'domain_not_found', example: 'example.com' }),
      expect.objectContaining({ name: 'email', error: 'mailbox_not_found' }),
    ]);
    expect(parametersIn('/domains/')).toEqual([]);
  });
});
