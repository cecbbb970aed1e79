import type { Texts } from '../texts.js';

export const ask = {
  message: '¿Qué pasó con un mensaje?',
  mailbox: '¿Qué pasó con sus mensajes?',
  about: 'Destinatario, o Message-ID entre < >',
} satisfies Texts['ask'];

export const message = {
  title: 'Mensajes',
  mailbox: 'Buzón de aquí que lo envió o recibió',
  anyState: 'En cualquier estado',
  showAny: 'Mostrar todos los estados',
  find: 'Buscar',
  one: 'mensaje',
  many: 'mensajes',
  when: 'Cuándo',
  from: 'De',
  to: 'Para',
  what: 'Qué pasó con él',
  notice: 'un aviso de un servidor de correo',
  others: 'otras direcciones de {domain}',
  times: '{count, number} veces',
  none: 'No se conoce ningún mensaje',
  noneWhat: 'Solo se guardan los mensajes de los últimos días, y solo los que llegaron a estos servidores.',
  lastDay:
    'Estos son los mensajes de las últimas 24 horas. Con un destinatario, un buzón o un Message-ID se busca en todos los guardados.',
  behind:
    'Los servidores informan con un retraso de {minutes, plural, one {# minuto} many {# minutos} other {# minutos}}: los mensajes más recientes aún no están aquí.',
  gaps: 'Pueden faltar mensajes desde <time></time>.',
  unseen:
    'Aquí no se ve: el correo que nunca llegó a estos servidores, lo que otro servidor hizo con un mensaje que aceptó, y lo que hizo con él un programa de correo.',
  relayRefused: 'el servicio que entrega el correo a otros servidores lo rechazó ({code})',
  failed: 'Mensajes de las últimas 24 horas que no llegaron:',
  back: 'Todos los mensajes',
  aMessage: 'Un mensaje',
  facts: 'El mensaje',
  steps: 'Qué pasó',
  size: 'Tamaño',
  id: 'Message-ID',
  domain: 'Dominio',
  said: 'Lo que dijo el servidor',
} satisfies Texts['message'];

export const became = {
  accepted: 'En camino',
  deferred: 'Espera, y se volverá a intentar',
  refused: 'Rechazado aquí',
  stored: 'En el buzón',
  forwarded: 'Reenviado a otro servidor',
  relayed: 'Entregado al servicio de envío',
  delivered: 'Aceptado por el servidor del destinatario',
  bounced: 'No entregado, y abandonado',
  complained: 'Entregado, y denunciado como spam',
} satisfies Texts['became'];

export const step = {
  accepted: 'Se aceptó de su remitente.',
  deferred: 'Todavía no se pudo entregar. Espera, y se volverá a intentar.',
  refused: 'Se rechazó aquí.',
  stored: 'Se puso en el buzón.',
  forwarded: 'Se reenvió a otro servidor, que lo aceptó.',
  relayed: 'Se entregó al servicio que lleva el correo a otros servidores.',
  delivered: 'El servidor del destinatario lo aceptó.',
  bounced: 'Se abandonó: el destinatario no lo recibe.',
  complained: 'El destinatario lo denunció como spam.',
} satisfies Texts['step'];

export const refusal = {
  unknown_recipient: 'aquí no existe esa dirección',
  recipient_suppressed: 'esta dirección no funciona o no quiere correo',
  session_ended:
    'el programa de correo había iniciado sesión antes de que se cambiara la contraseña o el buzón, y debe iniciarla de nuevo',
  expired: 'había esperado demasiado',
  General: 'el servidor del destinatario lo rechazó',
  NoEmail: 'la dirección no existe',
  MailboxFull: 'el buzón del destinatario está lleno',
  MessageTooLarge: 'es demasiado grande para el servidor del destinatario',
  ContentRejected: 'el servidor del destinatario rechazó su contenido',
  AttachmentRejected: 'el servidor del destinatario rechazó su archivo adjunto',
} satisfies Texts['refusal'];
