import type { Texts } from '../texts.js';

export const dns = {
  readingState: 'Leyendo el estado',
  asking: 'Preguntando a los servidores de nombres',
  verifiedByParent: 'La verificación de {parent} vale para este dominio.',
  maySend: 'El dominio puede enviar.',
  publishBelow:
    'Publique los registros de abajo donde se administra el DNS del dominio. Esta página se pone verde sola, casi siempre en unos minutos.',
  checked: 'Comprobado: <time></time>.',
  zoneFile: 'Archivo de zona',
  recommended: 'Recomendado',
  examples: 'Ejemplos',
  examplesWhy:
    'Los servidores de correo de este servicio todavía no están configurados. Por eso los registros de abajo son ejemplos: no los publique.',
  rightCount: '{count, plural, one {# registro es correcto} other {# registros son correctos}}',
  checkNow: 'Comprobar ahora',
  toPublish: '{count, plural, one {# registro por publicar o corregir.} other {# registros por publicar o corregir.}}',
  unchecked: '{count, plural, one {# registro no se pudo comprobar.} other {# registros no se pudieron comprobar.}}',
  allRight: 'Todos los registros necesarios son correctos.',
  where: 'Dónde publicar los registros',
  publishInZone: 'Publique estos registros en la zona DNS {zone}',
  zoneIsAt: 'El DNS de {zone} está en {provider}',
  elsewhere:
    'Inicie sesión donde se registró el dominio, o a donde se trasladó su DNS, y añada los registros a su zona DNS.',
  shortNames:
    'La mayoría de los proveedores pide el nombre corto, en el que @ es {zone}; algunos piden el nombre completo.',
  nameServers: 'Sus servidores de nombres son <names></names>.',
  andOthers: ' y otros',
  front: 'Servidores delante de este servicio',
  frontWhat:
    '¿Reenvían estos servidores todo el correo a este servicio, como hace un filtro? Entonces indíquelo, y el registro es correcto. Si otro servidor llega a ser el primero, se le preguntará de nuevo.',
  frontSay: 'Estos servidores están delante del nuestro',
  frontMailboxes:
    'En {hosts} hay buzones, que guardan el correo que llega. Continúe solo si el proveedor está configurado para reenviar el correo de este servicio.',
  frontSaid: 'Delante de este servicio están, como se indicó el <time></time>: {hosts}.',
  frontWithdraw: 'Retirar',
  share: 'Compartir esta página',
  theLink: 'El enlace',
  linkOnce: 'Quien lo tenga ve los registros DNS de este dominio y nada más. Cópielo ahora: solo se muestra esta vez.',
  linkWhat: 'Un enlace para quien administra el DNS de {domain}. Muestra esta página, no necesita clave y caduca solo.',
  linkDays: 'Días',
  linkDaysRange: 'De 1 a 30',
  createLink: 'Crear el enlace',
} satisfies Texts['dns'];

export const record = {
  mx: 'El correo llega aquí (MX)',
  spf: 'Este servicio puede enviar (SPF)',
  verification: 'El dominio es suyo (propiedad)',
  dkim: 'El correo se firma (DKIM)',
  dmarc: 'Lo que otros hacen con el correo falsificado (DMARC)',
  mta_sts: 'El correo llega cifrado (MTA-STS)',
  tls_rpt: 'Informes sobre el cifrado (TLS-RPT)',
} satisfies Texts['record'];

export const card = {
  ofType: '{count, number} registros del tipo {type}',
  type: 'Tipo',
  name: 'Nombre',
  priority: 'Prioridad',
  value: 'Valor',
  thereNow: 'Ahora hay',
  theShortName: 'el nombre corto {value}',
  theName: 'el nombre {value}',
  thePriority: 'la prioridad {value}',
  theValue: 'el valor {value}',
  example: 'Ejemplo',
  notThereYet: 'Todavía no está',
  notThere: 'No está',
  notRight: 'Incorrecto',
  unchecked: 'No se pudo comprobar',
  right: 'Correcto',
  rightWithWarning: 'Correcto, con una advertencia',
} satisfies Texts['card'];
