import type { Caller } from '../api/shapes.js';
import { loadAgain } from '../load-again.js';
import { first } from './en/first.js';
import { type Language, languageFor } from './language.js';
import { browserLanguages, shownLanguage, showTexts, type Texts } from './texts.js';

/** The one value that the page keeps about its reader: the language that was chosen. */
const CHOSEN = 'mailstead-language';

/** Each is a chunk of its own; English is in two, the first of which is in the first load. */
const TEXTS: Record<Language, () => Promise<Texts>> = {
  en: async () => ({ ...first, ...(await import('./en/later.js')).later }),
  de: async () => (await import('./de/all.js')).de,
  fr: async () => (await import('./fr/all.js')).fr,
  es: async () => (await import('./es/all.js')).es,
};

/** The language that was asked for last: a slower answer to an earlier wish changes nothing. */
let wanted: Language = 'en';
/** Whether the English texts that come later were read. */
let isWhole = false;

/**
 * Speaks the language of whoever came by a link, or stands before the door. Everybody else is the partner's staff or
 * the operator, whose screens are English.
 */
export async function speakTo(caller: Caller): Promise<void> {
  await speak(caller.link === null ? 'en' : readersLanguage(caller));
}

/** Reads the English texts that are not in the first load. The other languages are whole. */
export async function loadLaterTexts(): Promise<void> {
  if (shownLanguage() !== 'en' || isWhole) return;
  const texts = await TEXTS.en();
  isWhole = true;
  if (shownLanguage() === 'en') showTexts('en', texts);
}

/** What `GET /me` and the preview of a link say. */
type Branded = Pick<Caller, 'brand'>;

/** @param answer what the API says of a link, with the brand of its partner. */
export async function speakToReader(answer?: Branded): Promise<void> {
  await speak(readersLanguage(answer));
}

/** Keeps what the reader chose in this browser, and shows it. */
export async function choose(language: Language): Promise<void> {
  try {
    localStorage.setItem(CHOSEN, language);
  } catch {
    // Without a storage the choice holds until the page is loaded again.
  }
  await speak(language);
}

function readersLanguage(answer: Branded | undefined): Language {
  return languageFor({ chosen: chosen(), brand: answer?.brand?.language ?? null, browser: browserLanguages() });
}

function chosen(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** A language that cannot be loaded leaves the present one: the page is worth more than its words. */
async function speak(language: Language): Promise<void> {
  wanted = language;
  document.documentElement.lang = shownLanguage();
  if (language === shownLanguage()) return;
  try {
    const texts = await loadAgain(TEXTS[language], () => false);
    if (language !== wanted) return;
    showTexts(language, texts);
    document.documentElement.lang = language;
  } catch {
    wanted = shownLanguage();
  }
}
