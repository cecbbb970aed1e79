import { MINUTE_MS, SECOND_MS } from '../clock.js';
import { AppError } from '../errors.js';
import { FixedClock } from '../testing/fixed-clock.js';
import { KnownTokens } from './known-tokens.js';
import { WrongTokens } from './wrong-tokens.js';

const HERE = '192.0.2.1';
const ELSEWHERE = '192.0.2.2';
const LIMIT = 30;

describe('wrong tokens', () => {
  let clock: FixedClock;
  let wrong: WrongTokens;
  /** The tokens that were looked up. */
  let lookedUp: string[];
  let rightTokens: Set<string>;
  let failure: AppError | null;

  beforeEach(() => {
    clock = new FixedClock();
    wrong = new WrongTokens(LIMIT, new KnownTokens(clock), clock);
    lookedUp = [];
    rightTokens = new Set(['right', 'also-right']);
    failure = null;
  });

  const find = async (token: string): Promise<string> => {
    lookedUp.push(token);
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failure !== null) throw failure;
    if (!rightTokens.has(token)) throw new AppError('invalid_token');
    return token;
  };
  const ask = (token: string, address = HERE, by = wrong) =>
    by
      .lookUp(
        token,
        () => address,
        () => find(token),
        () => 1,
      )
      .then(
        () => 'found',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
  const guess = async (count: number, address = HERE) => {
    for (let index = 0; index < count; index += 1) await ask(`guess-${index}`, address);
  };
  const times = (count: number, token: (index: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(token(index))));
  const numberOf = (answers: string[], answer: string) => answers.filter((each) => each === answer).length;

  it('of an address are refused without a look-up after 30 within a minute', async () => {
    await guess(LIMIT);
    expect(lookedUp).toHaveLength(LIMIT);
    expect(await ask('one-more')).toBe('too_many_wrong_tokens');
    expect(lookedUp).toHaveLength(LIMIT);
  });

  it('are looked up again a minute after the first; until then the refusal says how long to wait', async () => {
    await guess(LIMIT);
    clock.advance(20 * SECOND_MS);
    await expect(
      wrong.lookUp(
        'x',
        () => HERE,
        () => find('x'),
        () => 1,
      ),
    ).rejects.toMatchObject({ code: 'too_many_wrong_tokens', retryAfterS: 40 });
    clock.advance(40 * SECOND_MS);
    expect(await ask('x')).toBe('invalid_token');
  });

  it('do not lock out another address', async () => {
    await guess(LIMIT + 5);
    expect(await ask('right', ELSEWHERE)).toBe('found');
  });

  it('do not lock out a token of the same address that was right within the last hour', async () => {
    await ask('right', ELSEWHERE);
    await guess(LIMIT + 5);
    expect(await ask('right')).toBe('found');
    expect(await ask('also-right')).toBe('too_many_wrong_tokens');
    clock.advance(59 * MINUTE_MS);
    await guess(LIMIT + 5);
    expect(await ask('right')).toBe('found');
  });

  it('that were right before are looked up each time, and lock out nobody', async () => {
    await ask('right');
    rightTokens.delete('right');
    expect(await times(100, () => 'right')).toEqual(Array.from({ length: 100 }, () => 'invalid_token'));
    expect(await ask('also-right')).toBe('found');
  });

  it('in parallel are not looked up more often than one after the other', async () => {
    const answers = await times(1_000, (index) => `guess-${index}`);
    expect(lookedUp).toHaveLength(LIMIT);
    expect([numberOf(answers, 'invalid_token'), numberOf(answers, 'too_many_wrong_tokens')]).toEqual([LIMIT, 970]);
  });

  it('do not count right ones: any number of new right tokens in parallel is found', async () => {
    rightTokens = new Set(Array.from({ length: 200 }, (_, index) => `right-${index}`));
    expect(numberOf(await times(200, (index) => `right-${index}`), 'found')).toBe(200);
    expect(numberOf(await times(200, () => 'right-1'), 'found')).toBe(200);
  });

  it('do not count look-ups that fail because of the database; those that wait for them fail the same way', async () => {
    failure = new AppError('database_unavailable');
    const answers = await times(100, (index) => `guess-${index}`);
    expect(numberOf(answers, 'database_unavailable')).toBe(100);
    failure = null;
    expect(await ask('right')).toBe('found');
  });

  it('take a bounded memory for a flood from many addresses, and none after a minute', async () => {
    const bounded = new WrongTokens(LIMIT, new KnownTokens(clock), clock, 100);
    for (let address = 0; address < 500; address += 1) await ask('x', `address ${address}`, bounded);
    expect(bounded.size).toBe(100);
    clock.advance(MINUTE_MS);
    rightTokens = new Set(Array.from({ length: 100 }, (_, index) => `right-${index}`));
    for (const token of rightTokens) await ask(token, `address of ${token}`, bounded);
    expect(bounded.size).toBe(0);
  });

  it('of an address without wrong tokens are not stored', async () => {
    await times(50, () => 'right');
    expect(wrong.size).toBe(0);
  });

  it('are not limited when the limit is 0', async () => {
    const off = new WrongTokens(0, new KnownTokens(clock), clock);
    for (let index = 0; index < 100; index += 1) expect(await ask(`guess-${index}`, HERE, off)).toBe('invalid_token');
  });
});
