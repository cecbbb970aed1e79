import type { Texts } from '../texts.js';

export const status = {
  suspended: 'Suspendido',
  partnerSuspended: 'Socio suspendido',
  blocked: 'Envío bloqueado',
  verified: 'Verificado',
  failed: 'La verificación falló',
  pending: 'Esperando al DNS',
  unverified: 'Todavía sin verificar',
} satisfies Texts['status'];

export const domain = {
  title: 'El dominio',
  verification: 'Verificación',
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
