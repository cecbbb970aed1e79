import type { Texts } from '../texts.js';

export const settings = {
  nothing: 'Aquí no hay nada que cambiar',
  nothingWhy: 'Usted puede leer este dominio, pero no cambiarlo.',
  reference: 'Referencia',
  ownReference: 'Su propia referencia',
  ownReferenceWhat: 'Por ejemplo, un número de cliente o de contrato',
  outsideSenders: 'Correo de fuera en su nombre',
  refuseOutsideSenders: 'Rechazarlo',
  refuseOutsideSendersWhat:
    'El correo con un remitente de este dominio solo se acepta entonces de sus propios usuarios, tras iniciar sesión. Los boletines y las listas de correo que otros envían en nombre del dominio dejan de llegar a los buzones de aquí.',
  suspend: 'Suspender',
  suspended: 'Suspendido',
  isStopped: 'El correo entrante espera en sus remitentes, nadie puede iniciar sesión y no se pierde nada.',
  stops:
    'El correo entrante espera entonces en sus remitentes, nadie puede iniciar sesión ni enviar, y no se pierde nada.',
  cause: 'Causa',
  suspendedCause: 'Suspendido {cause}.',
  activate: 'Activar',
  activateCause: 'Activar, quitando la causa {cause}',
  lifted: '{name}: se quitó la causa {cause}.',
  isSuspended: '{name} está suspendido.',
  delete: 'Eliminar',
  deleteDomain: 'Eliminar el dominio',
  deleteWhat: 'El dominio, {mailboxes} y {aliases} se eliminan enseguida. Durante unos días se pueden restaurar.',
  deleteConsequence: '{mailboxes} y {aliases} se eliminan también. Durante unos días se puede restaurar todo.',
  deleted: '{name} se ha eliminado.',
  changedMeanwhile: 'Otra persona ha cambiado esto entretanto',
  isNow: '{field} es ahora: {value}',
  saveAgain: 'Lo que escribió no se ha guardado. Sigue aquí: guarde de nuevo para aplicarlo.',
  on: 'activado',
  off: 'desactivado',
} satisfies Texts['settings'];
