import type { Texts } from '../texts.js';

export const finding = {
  lookup_failed: 'No se pudo consultar {name}: {reason}. Inténtelo de nuevo más tarde.',
  name_doubled:
    'El registro está en {found_at}: el nombre del dominio se añadió dos veces. Introduzca el nombre sin {domain}.',
  name_is_cname:
    '{name} es un CNAME de {target}, así que los registros encontrados son los de {target}, y junto a un CNAME no puede haber ningún otro registro (RFC 1034, sección 3.6.2, RFC 2181, sección 10.1). Sustitúyalo por registros A y AAAA, o por lo que el proveedor de DNS llama ALIAS, y publique junto a ellos los registros del dominio.',
  verification_inherited: 'La verificación de {parent} vale para este dominio. No necesita un registro propio.',
  verification_inherited_hidden:
    'La verificación de su dominio superior vale para este dominio. No necesita un registro propio.',
  mx_ok: 'Los registros MX son correctos.',
  mx_arrives: 'El correo llega aquí.',
  mx_incomplete: 'El correo llega aquí. Añada {hosts} para que el correo siga llegando cuando falle un servidor.',
  mx_own_name: 'El MX indica {host}, un nombre propio que tiene la dirección de este servicio. El correo llega aquí.',
  mx_implicit:
    '{name} no tiene registro MX, pero el correo llega por la dirección del dominio (RFC 5321, sección 5.1). Publique de todos modos un registro MX para {hosts}.',
  mx_missing: '{name} no tiene registro MX. Publique un registro MX para {hosts}.',
  mx_null: '{name} tiene un MX nulo, lo que significa que no acepta correo. Publique un registro MX para {hosts}.',
  mx_elsewhere:
    'El correo para {name} se entrega a otros servidores: {found}. Publique un registro MX para {hosts}, o indique que estos servidores están delante de este servicio.',
  mx_behind:
    'El correo para {name} llega primero a {found}, porque los números de sus registros MX no son mayores que los nuestros. Elimine estos registros, o indique que los servidores están delante de este servicio.',
  mx_mailboxes:
    'El correo para {name} llega primero a {found}, a buzones de {provider}. Publique solo un registro MX para {hosts}, o indique que los servidores están delante de este servicio.',
  mx_in_front:
    'El correo llega primero a {found}. Estos servidores están delante de este servicio, como indicó el titular del dominio.',
  mx_host_doubled:
    'El MX indica {host}.{domain}: el nombre del dominio se añadió al servidor. Termine el servidor con un punto u omita el dominio. Publique un registro MX para {hosts}.',
  mx_hosts_unset:
    'Los servidores de correo de este servicio no están configurados, así que los registros MX no se pueden comparar con ellos.',
  mx_missing_hosts_unset:
    '{name} no tiene registro MX. Los servidores de correo de este servicio no están configurados.',
  mx_null_hosts_unset:
    '{name} tiene un MX nulo, lo que significa que no acepta correo. Los servidores de correo de este servicio no están configurados.',
  foreign_mx:
    'Es posible que parte del correo se entregue también a {hosts}. Elimine los registros MX de estos servidores si todo el correo debe llegar aquí.',
  spf_ok: 'El registro SPF permite enviar al servicio de envío.',
  spf_missing: '{name} no tiene registro SPF. Publique un registro TXT con el valor {value}.',
  spf_missing_include_unset: '{name} no tiene registro SPF. Lo que debe incluir no está configurado.',
  spf_include_unset:
    'Lo que deben incluir los registros SPF no está configurado, así que solo se comprobó la forma de este.',
  spf_quoted: 'El registro SPF tiene comillas o espacios alrededor. Introdúzcalo sin ellos.',
  spf_duplicate: 'Hay {count} registros SPF, y los destinatarios los rechazan todos. Únalos en uno solo.',
  spf_unread: 'El registro SPF no se pudo leer por completo: {reason}. Inténtelo de nuevo más tarde.',
  spf_include_after_all:
    'include:{include} está después de «all», donde los destinatarios no lo leen. Póngalo antes de «all».',
  spf_include_qualified:
    'Elimine el signo {qualifier} delante de include:{include}; con él no se autoriza al servicio de envío.',
  spf_include_doubled: 'El nombre del dominio se añadió al include. Debe ser include:{include}.',
  spf_include_missing: 'El registro SPF no lleva a include:{include}. Añádalo antes de «all».',
  spf_addresses_refused:
    'El registro SPF no permite todas las direcciones del servicio de envío: {addresses}. Ponga include:{include} al principio.',
  spf_refused_by:
    '«{term}» en el registro SPF de {name} rechaza el servicio de envío. Ponga include:{include} delante.',
  spf_unknown_term: 'El registro SPF de {name} contiene «{term}», que no forma parte de SPF.',
  spf_wrong_address:
    'El registro SPF de {name} contiene «{term}», sin una dirección IP válida, así que los destinatarios se detienen con un error.',
  spf_wrong_prefix:
    'El registro SPF de {name} contiene «{term}», con una longitud de prefijo incorrecta, así que los destinatarios se detienen con un error.',
  spf_wrong_name:
    'El registro SPF de {name} contiene «{term}», sin un nombre de dominio completo, así que los destinatarios se detienen con un error.',
  spf_wrong_macro:
    'El registro SPF de {name} contiene «{term}», con una macro incorrecta, así que los destinatarios se detienen con un error.',
  spf_doubled_modifier:
    'El registro SPF de {name} contiene «{term}» junto a otro del mismo tipo, así que los destinatarios se detienen con un error.',
  spf_included_missing: '{name}, que el registro SPF incluye, no tiene registro SPF.',
  spf_included_duplicate: '{name}, que el registro SPF incluye, tiene varios registros SPF.',
  spf_too_many_lookups:
    'El registro SPF necesita más de {limit} consultas DNS (en {name}), así que los destinatarios se detienen con un error.',
  spf_too_many_mx:
    'El registro SPF nombra {name} con «mx», que tiene más de {limit} registros MX, así que los destinatarios se detienen con un error.',
  spf_allows_all: '«+all» en el registro SPF de {name} permite a cualquier servidor enviar en nombre de este dominio.',
  spf_flattened:
    'El registro SPF tiene las direcciones del servicio de envío en lugar de include:{include}. Pueden cambiar, y entonces faltarán.',
  spf_depends_on_sender:
    'Que «{term}» en el registro SPF de {name} permita el servicio de envío depende del remitente o del nombre del servidor.',
  spf_nameless_term:
    '«{term}» en el registro SPF de {name} tiene un nombre que no se puede consultar, así que no permite a nadie.',
  spf_void_lookups:
    'El registro SPF consulta más de {limit} nombres que no existen, y algunos destinatarios se detienen entonces con un error.',
  verification_ok: 'El registro de propiedad es correcto.',
  verification_missing: 'No hay ningún registro TXT en {name}. Publique uno con el valor {value}.',
  verification_quoted: 'El valor tiene comillas o espacios alrededor. Introdúzcalo sin ellos.',
  verification_start_missing: 'Falta el comienzo del valor. Debe ser {value}.',
  verification_other_token: 'El token no pertenece a este dominio. Sustitúyalo por {value}.',
  verification_other_value: 'Ningún registro TXT con este nombre tiene el valor {value}.',
  dkim_ok: 'El registro DKIM es correcto.',
  dkim_not_created: 'El proveedor del servicio de envío todavía no ha creado las claves DKIM de este dominio.',
  dkim_refused: '{reason}',
  dkim_txt_missing: 'No hay ningún registro TXT en {name}. Publique uno con el valor que se muestra.',
  dkim_cname_missing: 'No hay ningún registro CNAME en {name}. Publique uno que apunte a {target}.',
  dkim_quoted: 'El valor tiene comillas alrededor. Introdúzcalo sin ellas.',
  dkim_other_value:
    'Ningún registro TXT con este nombre tiene el valor esperado. Sustitúyalo por el valor que se muestra.',
  dkim_wrong_type: 'El valor se publicó como TXT. El tipo debe ser CNAME.',
  dkim_flattened: 'La clave está publicada como TXT en lugar de CNAME, y es correcta.',
  dkim_flattened_other:
    'Un registro TXT con este nombre no es la clave de {target}. Sustitúyalo por un CNAME que apunte a {target}.',
  dkim_target_doubled: 'El nombre del dominio se añadió al destino. Introduzca {target} con un punto al final.',
  dkim_other_key: 'Este nombre apunta a otra clave del dominio. Debe apuntar a {target}.',
  dkim_other_zone: 'La clave es correcta, pero la zona no: el destino debe terminar en {zone}.',
  dkim_other_target: 'El CNAME apunta a {found}. Debe apuntar a {target}.',
  dkim_same_key: 'El CNAME apunta a {found}, donde está la clave de {target}. Es correcto.',
  dkim_duplicate:
    'Hay {count} registros DKIM en {name}, y no está definido qué clave usan los destinatarios (RFC 6376, sección 3.6.2.2). Conserve el del proveedor del servicio de envío.',
  dkim_revoked:
    'La clave en {name} está vacía, lo que significa que está revocada (RFC 6376, sección 3.6.1). Sustituya el registro por el que se muestra.',
  dkim_revoked_by_provider:
    'La clave en {target} está vacía, lo que significa que está revocada (RFC 6376, sección 3.6.1). Solo el proveedor del servicio de envío puede cambiarlo.',
  dkim_unconfirmed:
    'El proveedor del servicio de envío todavía no ha confirmado este registro. Lo vuelve a buscar por sí mismo.',
  advice_ok: 'La forma del registro es correcta.',
  advice_quoted: 'El registro tiene comillas o espacios alrededor. Introdúzcalo sin ellos.',
  advice_duplicate: 'Hay {count} registros de este tipo, y los destinatarios los ignoran todos. Conserve uno.',
  dmarc_missing: 'No hay registro DMARC. Los grandes destinatarios exigen uno; empiece con v=DMARC1; p=none en {name}.',
  dmarc_incomplete:
    'Una política del registro DMARC (p, sp o np) no es none, quarantine ni reject (RFC 9989, sección 4.7).',
  dmarc_no_policy: 'El registro DMARC no tiene p, lo que equivale a p=none (RFC 9989).',
  dmarc_historic: 'Los destinatarios ya no leen estas partes del registro DMARC: {tags} (RFC 9989).',
  dmarc_inherited: 'Se aplica el registro DMARC de {parent}.',
  dmarc_other_version:
    'El registro empieza por «{beginning}», así que los destinatarios no lo leen. Un registro DMARC debe empezar por v=DMARC1, escrito así (RFC 9989, sección 4.7).',
  mta_sts_missing:
    'No hay registro MTA-STS, así que un atacante puede conseguir que los remitentes entreguen sin TLS. Es opcional (RFC 8461).',
  mta_sts_other_version:
    'El registro empieza por «{beginning}», así que los remitentes no lo leen. Un registro MTA-STS debe empezar por v=STSv1; escrito así (RFC 8461, sección 3.1).',
  mta_sts_field:
    'La parte «{field}» del registro MTA-STS no es un nombre, = y un valor sin espacios, así que los remitentes ignoran el registro (RFC 8461, sección 3.1).',
  mta_sts_incomplete: 'El registro MTA-STS no tiene id= en minúsculas (RFC 8461, sección 3.1).',
  mta_sts_ids: 'El registro MTA-STS tiene {count} id. Conserve uno (RFC 8461, sección 3.1).',
  mta_sts_id:
    'El id «{id}» del registro MTA-STS no tiene de 1 a 32 letras y cifras, así que los remitentes ignoran el registro (RFC 8461, sección 3.1).',
  tls_rpt_missing:
    'No hay registro TLS-RPT, así que los remitentes no informan de los errores de TLS. Es opcional (RFC 8460).',
  tls_rpt_other_version:
    'El registro empieza por «{beginning}», así que los remitentes no lo leen. Un registro TLS-RPT debe empezar por v=TLSRPTv1; escrito así (RFC 8460, sección 3).',
  tls_rpt_field:
    'La parte «{field}» del registro TLS-RPT no es un nombre, = y un valor sin espacios, así que los remitentes ignoran el registro (RFC 8460, sección 3).',
  tls_rpt_incomplete: 'El registro TLS-RPT no tiene rua con una dirección para los informes (RFC 8460, sección 3).',
  tls_rpt_uri:
    '«{uri}» en el rua del registro TLS-RPT no es una dirección que empiece por mailto: o https: (RFC 8460, sección 3). Varias se separan con comas.',
} satisfies Texts['finding'];
