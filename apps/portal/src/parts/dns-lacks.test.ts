import { STATE_REASONS } from '@mailstead/core/domain-states/domain-state';
import { compiledTexts } from '../testing/compiled-texts.js';
import { en } from '../texts/en/all.js';
import { showTexts } from '../texts/texts.js';
import { type LackFacts, lacksOf, riskWord } from './dns-lacks.js';

type State = NonNullable<LackFacts['state']>;

beforeEach(() => showTexts('en', compiledTexts(en)));

const domain = (
  sends: State['sends'],
  receives: State['receives'],
  attention: LackFacts['attention'],
  { reason = 'dns_missing', inbound = 'open' }: Partial<Pick<State, 'reason'> & LackFacts> = {},
): LackFacts & { state: State } => ({ state: { sends, receives, reason, until: null }, attention, inbound });

describe('what a domain lacks in the DNS', () => {
  it.each<[string, LackFacts, string[]]>([
    ['no MX', domain('yes', 'no', ['dns_missing']), ['mx']],
    ['no SPF', domain('at_risk', 'yes', ['dns_missing']), ['spf']],
    ['neither', domain('at_risk', 'no', ['dns_missing']), ['mx', 'spf']],
    ['MX of somebody else', domain('yes', 'at_risk', ['dns_missing']), ['mx_elsewhere']],
    ['the same without SPF', domain('at_risk', 'at_risk', ['dns_missing']), ['mx_elsewhere', 'spf']],
  ])('is told by its state: %s', (_, facts, lacks) => {
    expect(lacksOf(facts)).toEqual(lacks);
  });

  it.each<[string, LackFacts, string[]]>([
    ['blocked, no MX', domain('no', 'no', ['blocked', 'dns_missing'], { reason: 'outbound_blocked' }), ['mx']],
    ['blocked, no SPF', domain('no', 'yes', ['blocked', 'dns_missing'], { reason: 'outbound_blocked' }), ['spf']],
    ['at a limit, no SPF', domain('waits', 'yes', ['dns_missing'], { reason: 'daily_limit' }), ['spf']],
    ['also at risk, no SPF', domain('at_risk', 'yes', ['dns_at_risk', 'dns_missing']), ['spf']],
  ])('is told also when something worse holds: %s', (_, facts, lacks) => {
    expect(lacksOf(facts)).toEqual(lacks);
  });

  it.each<[string, LackFacts]>([
    ['it lacks nothing', domain('at_risk', 'yes', ['daily_limit'], { reason: 'daily_limit' })],
    ['it is suspended', domain('off', 'off', ['suspended', 'dns_missing'], { reason: 'domain_suspended' })],
    ['it is not open', domain('no', 'no', ['blocked', 'dns_missing'], { inbound: 'pending' })],
    ['a process of the former release answered', { attention: ['dns_missing'], inbound: 'open' }],
  ])('is not guessed: %s', (_, facts) => {
    expect(lacksOf(facts)).toEqual([]);
  });

  it('is no SPF record when a near limit puts at risk what it sends', () => {
    expect(lacksOf(domain('at_risk', 'at_risk', ['dns_missing', 'daily_limit']))).toEqual(['mx_elsewhere']);
    expect(lacksOf(domain('at_risk', 'no', ['dns_missing', 'suppressions_high']))).toEqual(['mx']);
  });
});

describe('the word for what puts mail out at risk', () => {
  it('is that of the reason of the state, where it is one of sending', () => {
    expect(riskWord(domain('at_risk', 'yes', ['dns_at_risk', 'dns_missing'], { reason: 'dns_at_risk' }))).toBe(
      'DNS at risk',
    );
    expect(riskWord(domain('at_risk', 'yes', [], { reason: 'daily_limit' }))).toBe('Near the limit of the day');
  });

  it('is the SPF record where it is missing', () => {
    expect(riskWord(domain('at_risk', 'yes', ['dns_missing', 'daily_limit']))).toBe('SPF missing');
    expect(riskWord(domain('at_risk', 'no', ['dns_missing'], { reason: 'inbound_pending', inbound: 'pending' }))).toBe(
      'SPF missing',
    );
  });

  it('is another reason of sending, rather than one of receiving', () => {
    expect(riskWord(domain('at_risk', 'at_risk', ['dns_missing', 'monthly_limit']))).toBe(
      'Near the limit of the month',
    );
    expect(riskWord(domain('at_risk', 'no', ['dns_missing', 'suppressions_high']))).toBe('Many dead addresses');
  });

  it('is general where nothing tells more, whatever the reason', () => {
    for (const reason of STATE_REASONS.filter((each) => !/_limit|dns_at_risk|suppressions_high/.test(each)))
      expect(riskWord(domain('at_risk', 'no', [], { reason: reason as State['reason'] }))).toBe('At risk');
  });
});
