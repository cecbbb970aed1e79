import type { Texts } from '../texts.js';

export const finding = {
  lookup_failed: '{name} n’a pas pu être interrogé : {reason}. Réessayez plus tard.',
  name_doubled:
    'L’enregistrement se trouve à {found_at} : le nom de domaine a été ajouté deux fois. Saisissez le nom sans {domain}.',
  name_is_cname:
    '{name} est un CNAME de {target} : les enregistrements trouvés sont ceux de {target}, et aucun autre enregistrement ne peut se trouver à côté d’un CNAME (RFC 1034, section 3.6.2, RFC 2181, section 10.1). Remplacez-le par des enregistrements A et AAAA, ou par ce que le fournisseur de DNS appelle ALIAS, et publiez à côté les enregistrements du domaine.',
  verification_inherited:
    'La vérification de {parent} vaut pour ce domaine. Il n’a pas besoin de son propre enregistrement.',
  verification_inherited_hidden:
    'La vérification du domaine parent vaut pour ce domaine. Il n’a pas besoin de son propre enregistrement.',
  mx_ok: 'Les enregistrements MX sont corrects.',
  mx_arrives: 'Les e-mails arrivent ici.',
  mx_incomplete:
    'Les e-mails arrivent ici. Ajoutez {hosts} pour que les e-mails arrivent encore quand un serveur est en panne.',
  mx_own_name: 'Le MX indique {host}, un nom à vous qui a l’adresse de ce service. Les e-mails arrivent ici.',
  mx_implicit:
    '{name} n’a pas d’enregistrement MX, mais les e-mails arrivent par l’adresse du domaine (RFC 5321, section 5.1). Publiez quand même un enregistrement MX pour {hosts}.',
  mx_missing: '{name} n’a pas d’enregistrement MX. Publiez un enregistrement MX pour {hosts}.',
  mx_null:
    '{name} a un MX nul, ce qui veut dire qu’il n’accepte pas d’e-mails. Publiez un enregistrement MX pour {hosts}.',
  mx_elsewhere:
    'Les e-mails pour {name} sont remis à d’autres serveurs : {found}. Publiez un enregistrement MX pour {hosts}, ou indiquez que ces serveurs sont placés devant ce service.',
  mx_behind:
    'Les e-mails pour {name} arrivent d’abord sur {found}, car les nombres de leurs enregistrements MX ne sont pas plus élevés que les nôtres. Supprimez ces enregistrements, ou indiquez que les serveurs sont placés devant ce service.',
  mx_mailboxes:
    'Les e-mails pour {name} arrivent d’abord sur {found}, dans des boîtes aux lettres de {provider}. Publiez seulement un enregistrement MX pour {hosts}, ou indiquez que les serveurs sont placés devant ce service.',
  mx_in_front:
    'Les e-mails arrivent d’abord sur {found}. Ces serveurs sont placés devant ce service, comme l’a indiqué le titulaire du domaine.',
  mx_host_doubled:
    'Le MX indique {host}.{domain} : le nom de domaine a été ajouté au serveur. Terminez le nom du serveur par un point, ou omettez le domaine. Publiez un enregistrement MX pour {hosts}.',
  mx_hosts_unset:
    'Les serveurs de messagerie de ce service ne sont pas configurés. Les enregistrements MX ne peuvent donc pas leur être comparés.',
  mx_missing_hosts_unset:
    '{name} n’a pas d’enregistrement MX. Les serveurs de messagerie de ce service ne sont pas configurés.',
  mx_null_hosts_unset:
    '{name} a un MX nul, ce qui veut dire qu’il n’accepte pas d’e-mails. Les serveurs de messagerie de ce service ne sont pas configurés.',
  foreign_mx:
    'Certains e-mails peuvent aussi être remis à {hosts}. Supprimez les enregistrements MX de ces serveurs si tous les e-mails doivent arriver ici.',
  spf_ok: 'L’enregistrement SPF autorise le relais à envoyer.',
  spf_missing: '{name} n’a pas d’enregistrement SPF. Publiez un enregistrement TXT avec la valeur {value}.',
  spf_missing_include_unset: '{name} n’a pas d’enregistrement SPF. Ce qu’il doit inclure n’est pas configuré.',
  spf_include_unset:
    'Ce que les enregistrements SPF doivent inclure n’est pas configuré. Seule la forme de celui-ci a donc été vérifiée.',
  spf_quoted: 'L’enregistrement SPF est entouré de guillemets ou d’espaces. Saisissez-le sans eux.',
  spf_duplicate:
    'Il y a {count} enregistrements SPF, et les destinataires les refusent alors tous. Réunissez-les en un seul.',
  spf_unread: 'L’enregistrement SPF n’a pas pu être lu en entier : {reason}. Réessayez plus tard.',
  spf_include_after_all:
    'include:{include} se trouve après « all », où les destinataires ne le lisent pas. Placez-le avant « all ».',
  spf_include_qualified:
    'Supprimez le signe {qualifier} devant include:{include} ; avec lui, le relais n’est pas autorisé.',
  spf_include_doubled: 'Le nom de domaine a été ajouté à l’include. Il doit être include:{include}.',
  spf_include_missing: 'L’enregistrement SPF ne mène pas à include:{include}. Ajoutez-le avant « all ».',
  spf_addresses_refused:
    'L’enregistrement SPF n’autorise pas toutes les adresses du relais : {addresses}. Placez include:{include} au début.',
  spf_refused_by: '« {term} » dans l’enregistrement SPF de {name} refuse le relais. Placez include:{include} devant.',
  spf_unknown_term: 'L’enregistrement SPF de {name} contient « {term} », qui ne fait pas partie de SPF.',
  spf_wrong_address:
    'L’enregistrement SPF de {name} contient « {term} », sans adresse IP valide : les destinataires s’arrêtent avec une erreur.',
  spf_wrong_prefix:
    'L’enregistrement SPF de {name} contient « {term} », dont la longueur de préfixe est fausse : les destinataires s’arrêtent avec une erreur.',
  spf_wrong_name:
    'L’enregistrement SPF de {name} contient « {term} », sans nom de domaine complet : les destinataires s’arrêtent avec une erreur.',
  spf_wrong_macro:
    'L’enregistrement SPF de {name} contient « {term} », dont la macro est fausse : les destinataires s’arrêtent avec une erreur.',
  spf_doubled_modifier:
    'L’enregistrement SPF de {name} contient « {term} » à côté d’un autre du même type : les destinataires s’arrêtent avec une erreur.',
  spf_included_missing: '{name}, que l’enregistrement SPF inclut, n’a pas d’enregistrement SPF.',
  spf_included_duplicate: '{name}, que l’enregistrement SPF inclut, a plusieurs enregistrements SPF.',
  spf_too_many_lookups:
    'L’enregistrement SPF demande plus de {limit} requêtes DNS (à {name}) : les destinataires s’arrêtent avec une erreur.',
  spf_too_many_mx:
    'L’enregistrement SPF nomme {name} par « mx », qui a plus de {limit} enregistrements MX : les destinataires s’arrêtent avec une erreur.',
  spf_allows_all:
    '« +all » dans l’enregistrement SPF de {name} autorise tous les serveurs à envoyer au nom de ce domaine.',
  spf_flattened:
    'L’enregistrement SPF contient les adresses du relais au lieu de include:{include}. Elles peuvent changer, et manquent alors.',
  spf_depends_on_sender:
    'L’autorisation du relais par « {term} » dans l’enregistrement SPF de {name} dépend de l’expéditeur ou du nom du serveur.',
  spf_nameless_term:
    '« {term} » dans l’enregistrement SPF de {name} a un nom qui ne peut pas être interrogé, et n’autorise donc personne.',
  spf_void_lookups:
    'L’enregistrement SPF interroge plus de {limit} noms qui n’existent pas, et certains destinataires s’arrêtent alors avec une erreur.',
  verification_ok: 'L’enregistrement de propriété est correct.',
  verification_missing: 'Il n’y a pas d’enregistrement TXT à {name}. Publiez-en un avec la valeur {value}.',
  verification_quoted: 'La valeur est entourée de guillemets ou d’espaces. Saisissez-la sans eux.',
  verification_start_missing: 'Le début de la valeur manque. Elle doit être {value}.',
  verification_other_token: 'Le jeton n’appartient pas à ce domaine. Remplacez-le par {value}.',
  verification_other_value: 'Aucun enregistrement TXT à ce nom n’a la valeur {value}.',
  dkim_ok: 'L’enregistrement DKIM est correct.',
  dkim_not_created: 'Le fournisseur du relais n’a pas encore créé les clés DKIM de ce domaine.',
  dkim_refused: '{reason}',
  dkim_txt_missing: 'Il n’y a pas d’enregistrement TXT à {name}. Publiez-en un avec la valeur affichée.',
  dkim_cname_missing: 'Il n’y a pas d’enregistrement CNAME à {name}. Publiez-en un qui pointe vers {target}.',
  dkim_quoted: 'La valeur est entourée de guillemets. Saisissez-la sans eux.',
  dkim_other_value: 'Aucun enregistrement TXT à ce nom n’a la valeur attendue. Remplacez-le par la valeur affichée.',
  dkim_wrong_type: 'La valeur a été publiée comme TXT. Le type doit être CNAME.',
  dkim_flattened: 'La clé est publiée comme TXT au lieu du CNAME, et elle est correcte.',
  dkim_flattened_other:
    'Un enregistrement TXT à ce nom n’est pas la clé de {target}. Remplacez-le par un CNAME qui pointe vers {target}.',
  dkim_target_doubled: 'Le nom de domaine a été ajouté à la cible. Saisissez {target} avec un point à la fin.',
  dkim_other_key: 'Ce nom pointe vers une autre clé du domaine. Il doit pointer vers {target}.',
  dkim_other_zone: 'La clé est correcte, mais pas la zone : la cible doit se terminer par {zone}.',
  dkim_other_target: 'Le CNAME pointe vers {found}. Il doit pointer vers {target}.',
  dkim_same_key: 'Le CNAME pointe vers {found}, où se trouve la clé de {target}. Il est correct.',
  dkim_duplicate:
    'Il y a {count} enregistrements DKIM à {name}, et la clé que les destinataires utilisent n’est alors pas définie (RFC 6376, section 3.6.2.2). Gardez celui du fournisseur du relais.',
  dkim_revoked:
    'La clé à {name} est vide, ce qui signifie qu’elle est révoquée (RFC 6376, section 3.6.1). Remplacez l’enregistrement par celui qui est affiché.',
  dkim_revoked_by_provider:
    'La clé à {target} est vide, ce qui signifie qu’elle est révoquée (RFC 6376, section 3.6.1). Seul le fournisseur du relais peut changer cela.',
  dkim_unconfirmed:
    'Le fournisseur du relais n’a pas encore confirmé cet enregistrement. Il le cherche de nouveau de lui-même.',
  advice_ok: 'L’enregistrement a une forme correcte.',
  advice_quoted: 'L’enregistrement est entouré de guillemets ou d’espaces. Saisissez-le sans eux.',
  advice_duplicate:
    'Il y a {count} enregistrements de ce type, et les destinataires les ignorent alors tous. Gardez-en un.',
  dmarc_missing:
    'Il n’y a pas d’enregistrement DMARC. Les grands destinataires en exigent un ; commencez par v=DMARC1; p=none à {name}.',
  dmarc_incomplete:
    'Une règle de l’enregistrement DMARC (p, sp ou np) n’est pas none, quarantine ou reject (RFC 9989, section 4.7).',
  dmarc_no_policy: 'L’enregistrement DMARC n’a pas de p, ce qui équivaut à p=none (RFC 9989).',
  dmarc_historic: 'Les destinataires ne lisent plus ces parties de l’enregistrement DMARC : {tags} (RFC 9989).',
  dmarc_inherited: 'L’enregistrement DMARC de {parent} s’applique.',
  dmarc_other_version:
    'L’enregistrement commence par « {beginning} » : les destinataires ne le lisent pas. Un enregistrement DMARC doit commencer par v=DMARC1, écrit ainsi (RFC 9989, section 4.7).',
  mta_sts_missing:
    'Il n’y a pas d’enregistrement MTA-STS : un attaquant peut amener les expéditeurs à remettre sans TLS. Il est facultatif (RFC 8461).',
  mta_sts_other_version:
    'L’enregistrement commence par « {beginning} » : les expéditeurs ne le lisent pas. Un enregistrement MTA-STS doit commencer par v=STSv1; écrit ainsi (RFC 8461, section 3.1).',
  mta_sts_field:
    'La partie « {field} » de l’enregistrement MTA-STS n’est pas un nom, = et une valeur sans espaces : les expéditeurs ignorent l’enregistrement (RFC 8461, section 3.1).',
  mta_sts_incomplete: 'L’enregistrement MTA-STS n’a pas de id= en minuscules (RFC 8461, section 3.1).',
  mta_sts_ids: 'L’enregistrement MTA-STS a {count} id. Gardez-en un (RFC 8461, section 3.1).',
  mta_sts_id:
    'L’id « {id} » de l’enregistrement MTA-STS n’a pas de 1 à 32 lettres et chiffres : les expéditeurs ignorent l’enregistrement (RFC 8461, section 3.1).',
  tls_rpt_missing:
    'Il n’y a pas d’enregistrement TLS-RPT : les expéditeurs ne signalent pas les erreurs de TLS. Il est facultatif (RFC 8460).',
  tls_rpt_other_version:
    'L’enregistrement commence par « {beginning} » : les expéditeurs ne le lisent pas. Un enregistrement TLS-RPT doit commencer par v=TLSRPTv1; écrit ainsi (RFC 8460, section 3).',
  tls_rpt_field:
    'La partie « {field} » de l’enregistrement TLS-RPT n’est pas un nom, = et une valeur sans espaces : les expéditeurs ignorent l’enregistrement (RFC 8460, section 3).',
  tls_rpt_incomplete:
    'L’enregistrement TLS-RPT n’a pas de rua avec une adresse pour les rapports (RFC 8460, section 3).',
  tls_rpt_uri:
    '« {uri} » dans le rua de l’enregistrement TLS-RPT n’est pas une adresse qui commence par mailto: ou https: (RFC 8460, section 3). Des virgules en séparent plusieurs.',
} satisfies Texts['finding'];
