import type { Texts } from '../texts.js';

export const frame = {
  colours: 'Colores',
  light: 'Claro',
  dark: 'Oscuro',
  asSystem: 'Como el sistema',
  language: 'Idioma',
  logOut: 'Cerrar la sesión',
  stillLoggedIn: 'La sesión sigue abierta',
  partsOfDomain: 'Partes del dominio',
  overview: 'Resumen',
  dns: 'DNS',
  mailboxes: 'Buzones',
  aliases: 'Alias',
  sending: 'Envíos',
  messages: 'Mensajes',
  history: 'Historial',
  settings: 'Ajustes',
} satisfies Texts['frame'];
