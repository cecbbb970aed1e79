import { ApiProblem } from '@mailstead/client/api-problem';
import { formatMonth } from '../routes/usage/usage-months.js';
import { compiledTexts } from '../testing/compiled-texts.js';
import { de } from '../texts/de/all.js';
import { en } from '../texts/en/all.js';
import { showTexts } from '../texts/texts.js';
import { isOfInput, sentenceOf } from './problem.js';

beforeEach(() => showTexts('en', compiledTexts(en)));

const refusal = (members: object) =>
  ApiProblem.of(
    403,
    JSON.stringify({ code: 'suspended_by_operator', detail: 'Suspended by the operator', ...members }),
    null,
  );

describe('the sentence of a problem', () => {
  it('of a suspension that somebody else must lift names its causes', () => {
    expect(sentenceOf(refusal({ suspension_causes: ['billing', 'abuse'] }))).toBe(
      'It stays suspended because of an unpaid bill and because of abuse. You cannot lift that.',
    );
  });

  it('is that of the service when it names no causes', () => {
    expect(sentenceOf(refusal({}))).toBe('Suspended by the operator.');
    expect(sentenceOf(refusal({ suspension_causes: [] }))).toBe('Suspended by the operator.');
  });
});

describe('a refusal', () => {
  const answer = (status: number) => ApiProblem.of(status, JSON.stringify({ code: 'x', detail: 'X' }), null);

  it.each([400, 403, 404, 409, 422])('with %i says that a field is wrong', (status) => {
    expect(isOfInput(answer(status))).toBe(true);
  });

  it.each([401, 429, 500, 502, 503, 504])('with %i says nothing about any field', (status) => {
    expect(isOfInput(answer(status))).toBe(false);
  });

  it('without an answer says nothing about any field', () => {
    expect(isOfInput(new TypeError('Failed to fetch'))).toBe(false);
  });
});

describe('a month', () => {
  it('has its name in the language of the page, whatever the language of the machine', () => {
    expect(formatMonth('2026-03')).toBe('March 2026');
    showTexts('de', compiledTexts(de));
    expect(formatMonth('2026-03')).toBe('März 2026');
  });
});
