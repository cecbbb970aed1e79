import { ApiProblem } from '@mailstead/client/api-problem';
import { suspensionCauses } from '../parts/suspension-causes.js';
import { shownLanguage, t, textOrNull } from '../texts/texts.js';
import type { ShownBrand } from './shapes.js';

/** Something that the page itself cannot do. Its message is the sentence for people. */
export class Refusal extends Error {}

/** Returns the sentence for people of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof ApiProblem) return problemSentence(error);
  return t('page.unreachable');
}

/** In another language than English the code says what is wrong, where the page has a text of it. */
export function problemSentence(problem: Pick<ApiProblem, 'code' | 'detail'> & Partial<ApiProblem>): string {
  const { code, detail, members = {} } = problem;
  const causes = code === 'suspended_by_operator' ? causesIn(members) : null;
  if (causes !== null) return t('page.staysSuspended', { causes });
  return (shownLanguage() === 'en' ? null : textOrNull('problem', code)) ?? sentence(detail);
}

/** A service of the former release names none (@until 5.3). */
function causesIn({ suspension_causes: causes }: ApiProblem['members']): string | null {
  return Array.isArray(causes) ? suspensionCauses(causes.map(String)) : null;
}

/** The service says in English alone what is wrong with a field. */
function fieldSentence(message: string): string {
  return shownLanguage() === 'en' ? sentence(message) : t('page.notValid', { reason: sentence(message) });
}

/** Returns the message of each wrong field; empty when the problem names no field. */
export function fieldMessagesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(error.errors.map(({ field, message }) => [field, fieldSentence(message)]));
}

/** Whether what was sent is wrong, rather than that the service is not reached, is busy or wants a new login. */
export function isOfInput(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

export function statusOf(error: unknown): number | null {
  return error instanceof ApiProblem ? error.status : null;
}

/** Returns the stable word of a problem for programs; null without a response. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiProblem ? error.code : null;
}

/** Whom to ask for another link, where the service says it of one that cannot be used any more. */
export function brandOf(error: unknown): Pick<ShownBrand, 'name' | 'support_email' | 'support_url'> | null {
  if (codeOf(error) !== 'invalid_code' || !(error instanceof ApiProblem)) return null;
  const { brand } = error.members;
  if (typeof brand !== 'object' || brand === null) return null;
  const { name = null, support_email = null, support_url = null } = brand as Partial<ShownBrand>;
  return { name, support_email, support_url };
}

/** Makes a sentence of a `detail` or `message` of the API. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
