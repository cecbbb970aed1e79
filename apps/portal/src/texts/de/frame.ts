import type { Texts } from '../texts.js';

export const frame = {
  colours: 'Farben',
  light: 'Hell',
  dark: 'Dunkel',
  asSystem: 'Wie das System',
  language: 'Sprache',
  logOut: 'Abmelden',
  stillLoggedIn: 'Noch angemeldet',
  partsOfDomain: 'Teile der Domain',
  overview: 'Überblick',
  dns: 'DNS',
  mailboxes: 'Postfächer',
  aliases: 'Aliasse',
  sending: 'Versand',
  messages: 'Nachrichten',
  history: 'Verlauf',
  settings: 'Einstellungen',
} satisfies Texts['frame'];
