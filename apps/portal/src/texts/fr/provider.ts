import type { Texts } from '../texts.js';

export const provider = {
  cloudflare:
    'Connectez-vous, choisissez le domaine, puis DNS, « Enregistrements » et « Ajouter un enregistrement ». Réglez les enregistrements CNAME sur « DNS uniquement ».',
  route53:
    'Dans la console AWS, ouvrez Route 53, « Zones hébergées », la zone, puis « Créer un enregistrement ». Pour @, laissez le nom vide. Écrivez la priorité devant la valeur d’un MX, et les valeurs TXT entre guillemets.',
  godaddy:
    'Connectez-vous, ouvrez « Portefeuille de domaines », choisissez le domaine, puis DNS et « Ajouter un nouvel enregistrement ».',
  ionos:
    'Connectez-vous, ouvrez « Domaines et SSL », choisissez le domaine, puis l’onglet DNS et « Ajouter un enregistrement ».',
  ovh: 'Connectez-vous, ouvrez « Web Cloud », « Noms de domaine », le domaine, puis « Zone DNS » et « Ajouter une entrée ». Pour @, laissez le sous-domaine vide. Terminez par un point les serveurs dans les valeurs MX et CNAME.',
  hetzner:
    'Connectez-vous à la Hetzner Console, choisissez le projet, puis DNS, la zone et « Add record ». Terminez par un point les serveurs dans les valeurs MX et CNAME.',
  namecheap:
    'Connectez-vous, ouvrez « Domain List », « Manage » à côté du domaine, puis « Advanced DNS » et « Add New Record ». Les enregistrements MX se trouvent sur la même page, sous « Mail Settings », « Custom MX ».',
  united_domains:
    'Connectez-vous, ouvrez le portefeuille de domaines, choisissez le domaine, puis ses paramètres DNS, et ajoutez les enregistrements.',
} satisfies Texts['provider'];
