import type { Texts } from '../texts.js';

export const door = {
  enter: 'Entrar',
  withKey: 'Entrar con su clave',
  withLink: 'Entrar con su enlace',
  loggedOut: 'La sesión está cerrada',
  sessionEnded:
    'Su clave se revocó o caducó, alguien cerró la sesión o no se usó durante mucho tiempo. Entre de nuevo para continuar.',
  key: 'Clave',
  keyWhat: 'Una clave de la API o el token de un operador. No se guarda en este navegador.',
  showKey: 'Mostrar u ocultar la clave',
  noKey: '¿Todavía no tiene una clave? Pídala al operador de este servicio. Los programas usan <api>la API</api>.',
  notAKey:
    'Esto no es una clave: una clave no tiene espacios ni otras letras que de la A a la Z. Copie de nuevo la clave entera.',
  looking: 'Comprobando el enlace',
  loggedInAs: 'Ha entrado como {name}',
  aLink: 'un enlace',
  sessionEnds: 'Si entra con el enlace, esa sesión termina en este navegador.',
  unusable: 'Este enlace no se puede usar',
  unusableWhy: 'Un enlace termina cuando se usó, caducó o se eliminó. Pida uno nuevo.',
  unusableAsk: 'Un enlace termina cuando se usó, caducó o se eliminó. Pida uno nuevo a {name}.',
  endAndEnter: 'Terminar esa sesión y entrar',
  useKey: 'Usar una clave',
  keepSession: 'Conservar esta sesión',
  validUntil: 'El enlace es válido hasta el <time></time>.',
  seesDns: 'Verá los registros DNS de {domain} y nada más.',
  manages: 'Administrará {domain}: sus buzones, sus alias y sus envíos.',
  operates: 'Será el operador de este servicio, que puede ver y cambiar todo.',
} satisfies Texts['door'];
