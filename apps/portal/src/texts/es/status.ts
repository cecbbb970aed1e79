import type { Texts } from '../texts.js';

export const status = {
  sending: 'Envío',
  receiving: 'Recepción',
  both: 'Envío y recepción',
  sends: 'Envía',
  receives: 'Recibe',
  suspended: 'Suspendido',
  partnerSuspended: 'Socio suspendido',
  nearDaily: 'Cerca del límite del día',
  nearMonthly: 'Cerca del límite del mes',
  nearTransfer: 'Cerca del límite de transferencia',
  dnsAtRisk: 'DNS en riesgo',
  deadAddresses: 'Muchas direcciones muertas',
  atRisk: 'En riesgo',
  overLimit: 'Por encima de su límite, y sigue enviando',
  waitsUntil: 'Espera hasta {time}',
  sendingWaits: 'El envío espera',
  mailWaits: 'El correo entrante espera',
  stopped: 'Envío detenido',
  stoppedByBounces: 'Detenido: rebotes',
  stoppedByComplaints: 'Detenido: quejas',
  notVerified: 'Sin verificar',
  noMail: 'No llega correo',
  pending: 'Esperando al DNS',
} satisfies Texts['status'];

export const lack = {
  mx: 'Falta MX',
  mx_mailboxes: 'MX de Google o Microsoft',
  mx_elsewhere: 'MX en otro lugar',
  spf: 'Falta SPF',
} satisfies Texts['lack'];
