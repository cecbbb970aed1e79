import type { Texts } from '../texts.js';

export const provider = {
  cloudflare:
    'Inicie sesión allí, elija el dominio, después DNS, «Registros» y «Agregar registro». Ponga los registros CNAME en «Solo DNS».',
  route53:
    'En la consola de AWS abra Route 53, «Zonas alojadas», la zona y después «Crear registro». Para @ deje el nombre vacío. Escriba la prioridad delante del valor de un MX, y los valores TXT entre comillas.',
  godaddy:
    'Inicie sesión allí, abra «Portafolio de dominios», elija el dominio, después DNS y «Agregar nuevo registro».',
  ionos: 'Inicie sesión allí, abra «Dominios y SSL», elija el dominio, después la pestaña DNS y «Añadir registro».',
  ovh: 'Inicie sesión allí, abra «Web Cloud», «Dominios», el dominio, después «Zona DNS» y «Añadir un registro». Para @ deje el subdominio vacío. Termine con un punto los servidores en los valores MX y CNAME.',
  hetzner:
    'Inicie sesión en la Hetzner Console, elija el proyecto, después DNS, la zona y «Add record». Termine con un punto los servidores en los valores MX y CNAME.',
  namecheap:
    'Inicie sesión allí, abra «Domain List», «Manage» junto al dominio, después «Advanced DNS» y «Add New Record». Los registros MX están en la misma página, en «Mail Settings», «Custom MX».',
  united_domains:
    'Inicie sesión allí, abra la cartera de dominios, elija el dominio, después sus ajustes DNS, y añada los registros.',
} satisfies Texts['provider'];
