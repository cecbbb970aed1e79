import type { Texts } from '../texts.js';

export const frame = {
  colours: 'Couleurs',
  light: 'Clair',
  dark: 'Sombre',
  asSystem: 'Comme le système',
  language: 'Langue',
  logOut: 'Se déconnecter',
  stillLoggedIn: 'Toujours connecté',
  partsOfDomain: 'Parties du domaine',
  overview: 'Vue d’ensemble',
  dns: 'DNS',
  mailboxes: 'Boîtes aux lettres',
  aliases: 'Alias',
  sending: 'Envois',
  messages: 'Messages',
  history: 'Historique',
  settings: 'Paramètres',
} satisfies Texts['frame'];
