import { callerOf } from '../testing/caller-of.js';
import { compiledTexts } from '../testing/compiled-texts.js';
import { de } from '../texts/de/all.js';
import { en } from '../texts/en/all.js';
import { showTexts } from '../texts/texts.js';
import { eventSubject, eventWithCauses } from './event-text.js';

const STAFF = callerOf();
const CUSTOMER = callerOf({ link: 'manage', domains: ['juniper.com'] });

beforeEach(() => showTexts('en', compiledTexts(en)));

const change = (type: 'domain.suspended' | 'domain.activated' | 'partner.suspended', before: unknown, after: unknown) =>
  eventWithCauses(
    { type, data: { before: { suspension_causes: before }, after: { suspension_causes: after } } },
    STAFF,
  );

describe('the subject of an event', () => {
  it('of a link is the domain that it leads to, not the number of the link', () => {
    const about = { type: 'link.created', subject: 'link:2' } as const;
    expect(eventSubject({ ...about, domain: 'first.com' })).toBe('A link to first.com');
  });

  it('of a webhook is its number, which the address of its screen has', () => {
    const about = { type: 'webhook.disabled', subject: 'webhook:12' } as const;
    expect(eventSubject({ ...about, domain: null })).toBe('The webhook 12');
  });
});

describe('the text of a limit', () => {
  const limit = (values: Record<string, unknown>) =>
    eventWithCauses({ type: 'domain.limit_reached', data: values }, STAFF);

  it('says which limit it is, and whether 80 % or all of it is used', () => {
    expect(limit({ limit: 'daily', percent: 80 })).toBe('used 80 % of its limit of the day');
    expect(limit({ limit: 'daily', percent: 100 })).toBe('reached its limit of the day');
    expect(limit({ limit: 'monthly', percent: 80 })).toBe('used 80 % of its limit of the month');
    expect(limit({ limit: 'transfer', percent: 100 })).toBe('reached its transfer cap');
    showTexts('de', compiledTexts(de));
    expect(limit({ limit: 'daily', percent: 80 })).toBe('hat 80 % seiner Tagesgrenze verbraucht');
    expect(limit({ limit: 'daily', percent: 100 })).toBe('hat seine Tagesgrenze erreicht');
  });

  it('of a newer service that this page does not know names no limit', () => {
    expect(limit({ limit: 'weekly', percent: 100 })).toBe('reached a limit');
  });
});

describe('the text of missing DNS records', () => {
  const missing = (records: unknown) =>
    eventWithCauses({ type: 'domain.dns_missing', data: { missing: records } }, STAFF);

  it('names them with the words of the pills', () => {
    expect(missing(['mx', 'spf'])).toBe('has missing or wrong DNS records (MX missing, SPF missing)');
    expect(missing(['mx_elsewhere'])).toBe('has missing or wrong DNS records (MX elsewhere)');
    showTexts('de', compiledTexts(de));
    expect(missing(['spf'])).toBe('hat fehlende oder falsche DNS-Einträge (SPF fehlt)');
  });

  it('names no record that only a newer service has, and none without a list', () => {
    expect(missing(['dmarc'])).toBe('has missing or wrong DNS records');
    expect(missing(undefined)).toBe('has missing or wrong DNS records');
  });

  it('says nothing of records when none is missing any more', () => {
    expect(eventWithCauses({ type: 'domain.dns_complete', data: { missing: [] } }, STAFF)).toBe(
      'has all DNS records that it needs',
    );
  });
});

describe('the causes in the text of an event', () => {
  it('are those that a suspension added, of a domain and of a partner', () => {
    expect(change('domain.suspended', ['billing'], ['billing', 'abuse'])).toBe('was suspended because of abuse');
    const billing = { cause: 'billing', stage: 'all' };
    expect(change('partner.suspended', [], [billing])).toBe('was suspended because of an unpaid bill');
  });

  it('are those that an activation lifted', () => {
    expect(change('domain.activated', ['operator', 'abuse'], ['abuse'])).toBe(
      'was activated (it was suspended by the operator)',
    );
  });

  it('are abuse alone for a customer', () => {
    const values = {
      before: { suspension_causes: [] },
      after: { suspension_causes: ['operator', 'billing', 'abuse'] },
    };
    const event = { type: 'domain.suspended', data: values } as const;
    expect(eventWithCauses(event, CUSTOMER)).toBe('was suspended because of abuse');
  });

  it('are none without a change of causes, and without any', () => {
    const billing = (stage: string) => [{ cause: 'billing', stage }];
    expect(change('partner.suspended', billing('changes'), billing('all'))).toBe('was suspended');
    expect(eventWithCauses({ type: 'domain.created', data: { before: null, after: {} } }, STAFF)).toBe('was added');
  });

  it('are named one after the other in the language of the page', () => {
    expect(change('domain.suspended', [], ['billing', 'abuse'])).toBe(
      'was suspended because of an unpaid bill and because of abuse',
    );
    showTexts('de', compiledTexts(de));
    expect(change('domain.suspended', [], ['billing', 'abuse'])).toBe(
      'wurde gesperrt wegen einer unbezahlten Rechnung und wegen Missbrauchs',
    );
  });
});
