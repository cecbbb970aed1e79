import type { Verdict } from '../api/shapes.js';
import { callerOf } from '../testing/caller-of.js';
import { compiledTexts } from '../testing/compiled-texts.js';
import { de } from '../texts/de/all.js';
import { en } from '../texts/en/all.js';
import { es } from '../texts/es/all.js';
import { fr } from '../texts/fr/all.js';
import { showTexts } from '../texts/texts.js';
import { causeText, liftersText, limitText, verdictText } from './verdict-text.js';

const CUSTOMER = callerOf({ link: 'manage', domains: ['juniper.com'], key_id: null });
const LANGUAGES = [
  ['en', en],
  ['de', de],
  ['fr', fr],
  ['es', es],
] as const;
const CAUSES = Object.keys(en.cause) as Verdict['causes'][number]['cause'][];
const REASONS = Object.keys(en.stopped) as NonNullable<Verdict['reason']>[];
/** Whoever is behind a customer's provider, in the words of each language. */
const OTHERS = /operator|betreiber|opérateur|operador|billing|abrechnung|facturation|factura|relay|relais|relé/i;

const verdict = (values: Partial<Verdict> = {}): Verdict => ({
  action: 'defer',
  reason: 'domain_suspended',
  limited_by: null,
  also: [],
  causes: [],
  limit: null,
  since: null,
  until: null,
  lifted_by: ['operator', 'billing', 'partner'],
  ...values,
});

const causeOf = (cause: (typeof CAUSES)[number]): Verdict['causes'][number] => ({
  cause,
  of: 'domain',
  since: null,
  by: 'operator',
  liftable: false,
  counts: null,
  message: null,
});

describe('what a customer is told', () => {
  it.each(LANGUAGES)('names nobody behind its provider, whatever the reason and the cause (%s)', (language, texts) => {
    showTexts(language, compiledTexts(texts));
    for (const reason of REASONS) expect(verdictText(verdict({ reason }))).not.toMatch(OTHERS);
    for (const cause of CAUSES) {
      const text = causeText(verdict({ reason: 'outbound_blocked' }), causeOf(cause), CUSTOMER);
      expect(text).not.toMatch(OTHERS);
      expect(text).not.toBe('');
    }
    expect(liftersText(verdict(), CUSTOMER)).toBeNull();
  });
});

describe('the limit that is the reason', () => {
  beforeEach(() => showTexts('en', compiledTexts(en)));

  it('is told with what is used of it, in recipients or in bytes', () => {
    const of = (reason: Verdict['reason'], value: number, used: number) =>
      limitText(verdict({ reason, limit: { value, used, set_by: 'operator' } }));
    expect(of('daily_limit', 200, 200)).toBe('200 of 200 recipients of today are used.');
    expect(of('monthly_limit', 3_000, 3_001)).toBe('3,001 of 3,000 recipients of this month are used.');
    expect(of('mailbox_limit', 2, 2)).toBe('2 of 2 recipients of this mailbox are used today.');
    expect(of('transfer_limit', 1_048_576, 3_145_728)).toBe('3 MB of 1 MB of this month are used.');
    expect(limitText(verdict())).toBeNull();
  });
});
