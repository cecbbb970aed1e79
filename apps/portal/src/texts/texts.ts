import type { GetICUArgs } from '@schummar/icu-type-parser';
import format, { type CompiledMessage } from 'icu-minify/format';
import { createElement, Fragment, type ReactNode, useSyncExternalStore } from 'react';
import type { en } from './en/all.js';
import { first } from './en/first.js';
import { type Language, localeFor } from './language.js';

// The texts of the page, in the language that it shows now. A text is a message of ICU: `{name}` is a value,
// `{count, plural, one {# day} other {# days}}` has the plurals of its language, and the screen makes an element of
// `<link>…</link>`.
// The build compiles them (`vite/compiled-texts.ts`), so the page has the small half of the library alone.
// Each text is read when it is rendered. A change of the language makes the screen anew (`routes/tree.ts`).

type English = typeof en;

/** Texts with the keys of the English ones: one that is missing, or too many, does not compile. */
type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};

export type Texts = Translated<English>;

/** `dns.checkNow`: a noun, and the key of the text. */
type Key = { [Noun in keyof English]: `${Noun}.${keyof English[Noun] & string}` }[keyof English];

type TextOf<Of extends Key> = Of extends `${infer Noun extends keyof English}.${infer Name}`
  ? English[Noun][Name & keyof English[Noun]] & string
  : never;

type ValuesOf<Text extends string> = GetICUArgs<Text, { ICUArgument: string | number; ICUNumberArgument: number }>;

type TagsOf<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagsOf<Rest> : never;

/** Makes an element of what stands between the tags, or in their place. */
type Elements<Tags extends string> = { [Tag in Tags]: (content: ReactNode) => ReactNode };

/** No second argument for a text without values. */
type Given<Values> = keyof Values extends never ? [] : [values: Values];

/** The values of a text whose key is known when the page runs alone. */
export type LooseValues = Readonly<Record<string, string | number>>;

interface Shown {
  language: Language;
  /** The form of numbers and dates. */
  locale: string;
  texts: Texts;
}

// The others come with the screens that need them (`en/later.ts`).
let shown: Shown = { language: 'en', locale: localeFor('en', browserLanguages()), texts: first as Texts };
const listeners = new Set<() => void>();

/** Returns the text of a key in the language of the page. */
export function t<Of extends Key>(key: Of, ...[values]: Given<ValuesOf<TextOf<Of>>>): string {
  return formatted(key, values as LooseValues | undefined) as string;
}

/** Returns a text with elements in it. */
export function rich<Of extends Key>(key: Of, values: ValuesOf<TextOf<Of>> & Elements<TagsOf<TextOf<Of>>>): ReactNode {
  const elements = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (content: ReactNode[]) => (value as Elements<string>[string])(asOne(content)) : value,
  ]);
  const content = formatted(key, Object.fromEntries(elements) as LooseValues);
  return Array.isArray(content) ? asOne(content) : content;
}

/** Returns the text of a key that the service names; null for one that only a newer service has. */
export function textOrNull(noun: keyof English, name: string, values: LooseValues = {}): string | null {
  if (!Object.hasOwn(shown.texts[noun], name)) return null;
  return formatted(`${noun}.${name}`, values) as string;
}

export function shownLanguage(): Language {
  return shown.language;
}

/** The language of the page, for a part that is made anew with it. */
export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => shown.language,
  );
}

/** Shows other texts from now on. */
export function showTexts(language: Language, texts: Texts): void {
  shown = { language, locale: localeFor(language, browserLanguages()), texts };
  for (const listener of listeners) listener();
}

export function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
}

/** Makes something of `Intl` once for each form of numbers and dates. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let made: { of: string; it: Made } | null = null;
  return () => {
    if (made?.of !== shown.locale) made = { of: shown.locale, it: make(shown.locale) };
    return made.it;
  };
}

const listFormat = perLocale((of) => new Intl.ListFormat(of));

/** Names several things in a sentence: `a, b and c`. */
export function listOf(names: readonly string[]): string {
  return listFormat().format(names);
}

const FORMATTERS = {
  getNumberFormat: (...options: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...options),
  getPluralRules: (...options: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...options),
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...options),
};

function formatted(key: string, values: LooseValues | undefined): ReactNode {
  const end = key.indexOf('.');
  const noun: Readonly<Record<string, unknown>> = shown.texts[key.slice(0, end) as keyof English];
  const message = noun[key.slice(end + 1)] as CompiledMessage;
  return format<ReactNode>(message, shown.locale, values as Parameters<typeof format<ReactNode>>[2], {
    formatters: FORMATTERS,
  });
}

function asOne(content: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...content);
}
