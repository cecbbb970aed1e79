import { STATE_REASONS } from '@mailstead/core/domain-states/domain-state';
import { compiledTexts } from '../testing/compiled-texts.js';
import { en } from '../texts/en/all.js';
import { showTexts } from '../texts/texts.js';
import { type RiskFacts, riskWord } from './risk-word.js';

type Reason = RiskFacts['state']['reason'];

beforeEach(() => showTexts('en', compiledTexts(en)));

const wordOf = (reason: Reason, facts: Partial<RiskFacts> = {}) =>
  riskWord({ attention: [], ...facts, state: { sends: 'at_risk', receives: 'yes', reason, until: null } });

describe('the word for what puts mail out at risk', () => {
  it('is that of the reason of the state, where it is one of sending', () => {
    expect(wordOf('dns_at_risk', { missing_dns: ['spf'] })).toBe('DNS at risk');
    expect(wordOf('daily_limit')).toBe('Near the limit of the day');
  });

  it('is the SPF record where it is missing, also when the reason is one of receiving', () => {
    expect(wordOf('dns_missing', { missing_dns: ['mx', 'spf'], attention: ['dns_missing', 'daily_limit'] })).toBe(
      'SPF missing',
    );
    expect(wordOf('inbound_pending', { missing_dns: ['spf'], attention: ['dns_missing'] })).toBe('SPF missing');
  });

  it('is another reason of sending, rather than one of receiving', () => {
    expect(wordOf('dns_missing', { missing_dns: ['mx_elsewhere'], attention: ['dns_missing', 'monthly_limit'] })).toBe(
      'Near the limit of the month',
    );
    expect(wordOf('dns_missing', { missing_dns: ['mx'], attention: ['dns_missing', 'suppressions_high'] })).toBe(
      'Many dead addresses',
    );
  });

  it('is general where nothing tells more, whatever the reason', () => {
    for (const reason of STATE_REASONS.filter((each) => !/_limit|dns_at_risk|suppressions_high/.test(each)))
      expect(wordOf(reason as Reason)).toBe('At risk');
  });
});
