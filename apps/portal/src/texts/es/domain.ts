import type { Texts } from '../texts.js';

export const domain = {
  title: 'El dominio',
  historyWhat: 'Aquí aparece cada cambio del dominio, de sus buzones y de sus alias.',
  verification: 'Verificación',
  verified: 'Verificado',
  failed: 'La verificación falló',
  unverified: 'Todavía sin verificar',
  dnsRecords: 'Registros DNS',
  mailboxes: 'Buzones',
  aliases: 'Alias',
  plan: 'Plan',
  kept: 'El correo se conserva',
  forEver: 'para siempre',
  transfer: 'Transferencia al mes',
  parent: 'Dominio superior',
  partner: 'Socio',
  added: 'Añadido',
} satisfies Texts['domain'];
