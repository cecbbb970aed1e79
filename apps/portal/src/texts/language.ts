/** The languages of the customer's pages, each with its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;

export type Language = keyof typeof LANGUAGES;

interface Wishes {
  /** What the reader chose on this page; null without a choice. */
  chosen: string | null;
  /** What the partner set for its customers; null without one. */
  brand: string | null;
  /** The languages of the browser, the preferred one first. */
  browser: readonly string[];
}

/** Decides the language: the reader's choice, the partner's, the browser's, English. */
export function languageFor({ chosen, brand, browser }: Wishes): Language {
  const wishes = [chosen, brand, ...browser.map(baseOf)];
  return wishes.find(isLanguage) ?? 'en';
}

/** The form of numbers and dates: the browser's own variant of the language (`en-GB`) where it has one. */
export function localeFor(language: Language, browser: readonly string[]): string {
  return browser.find((locale) => baseOf(locale) === language) ?? language;
}

function baseOf(locale: string): string {
  return locale.toLowerCase().split('-')[0] ?? '';
}

function isLanguage(wish: string | null): wish is Language {
  return wish !== null && Object.hasOwn(LANGUAGES, wish);
}
